// Any bytes are a picture or an error.
#include "asset/image.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzHeap heap = {0};
  const ctAllocator allocator = fuzz_allocator(&heap);
  ctiRegion* region = cti_region_create(&allocator);
  FUZZ_CHECK(region);
  ctiImage image;
  ctError err = {0};
  ctStatus status =
      cti_image_from_png(&image, data, size, (const int[]){1, 3, 4}[size % 3], "picture.png", region, &err);
  if (status == CT_OK) {
    unsigned sum = 0;
    for (int i = 0; i < image.width * image.height * image.channels; i++) sum += image.data[i];
    FUZZ_CHECK(sum <= 255u * (unsigned)(image.width * image.height * image.channels));
  } else {
    FUZZ_CHECK(err.message[0] != 0);
  }
  cti_region_free(region);
  FUZZ_CHECK(heap.blocks == 0);
  return 0;
}

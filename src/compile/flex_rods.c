#include "compile/flex.h"
ctStatus cti_flex_rod(ctiBuild* b, ctiBuildFlex* flex) { (void)b; (void)flex; return CT_OK; }

#include "compile/flex.h"
ctStatus cti_flex_place_in_cage(ctiBuild* b, ctiBuildFlex* flex) { (void)b; (void)flex; return CT_OK; }
ctStatus cti_flex_cage_elasticity(ctiBuild* b, ctiBuildFlex* flex) { (void)b; (void)flex; return CT_OK; }

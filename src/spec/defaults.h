// What every element says when nobody says anything.
#pragma once

#include "spec/spec.h"

void cti_default_compiler(ctiCompiler* c);
void cti_default_option(ctOption* o);
void cti_default_visual(ctVisual* v);
void cti_default_size(ctiSize* s);
void cti_default_length_range(ctiLengthRange* s);
void cti_default_statistic(ctiStatistic* s);
void cti_default_class(ctiClass* c);
void cti_default_drive(ctiDrive* d);
void cti_default_body(ctiBody* b);
void cti_default_words(ctiShortcutWords* words);  // nothing is said
void cti_default_frame(ctiFrame* f);
void cti_default_skin(ctiSkin* s);
void cti_default_flex(ctiFlex* f);
void cti_default_flexcomp(ctiFlexcompWords* f);

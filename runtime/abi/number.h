#ifndef GASKET_ABI_NUMBER_H
#define GASKET_ABI_NUMBER_H
#include "abi/vector.h"
#endif

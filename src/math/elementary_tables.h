// Numbers of the elementary functions: constants, tables, minimax polynomials.
// Written by tools/elementary_tables.py; change that, not this.
// clang-format off
#pragma once

#include "base/fn.h"

// pi/2 in parts of 33 bits, so that multiples below 2^20 are exact; part 3 + 4 also as one.
#define CTI_PIO2_F64_1 0x1.921fb544p+0
#define CTI_PIO2_F64_2 0x1.0b4611a6p-34
#define CTI_PIO2_F64_3 0x1.3198a2ep-69
#define CTI_PIO2_F64_4 0x1.b839a252049c1p-104
#define CTI_PIO2_F64_3_4 0x1.3198a2e037073p-69

// pi/2 in parts of 17 bits, so that multiples below 2^7 are exact.
#define CTI_PIO2_F32_1 0x1.921fp+0f
#define CTI_PIO2_F32_2 0x1.6a88p-17f
#define CTI_PIO2_F32_3 0x1.0b4612p-34f

// log(2)/128 in a part of 35 bits, for multiples below 2^18, and the rest.
#define CTI_LN2_128_F64_1 0x1.62e42fef8p-8
#define CTI_LN2_128_F64_2 0x1.1cf79abc9e3b4p-43

// log(2) as a multiple of 2^-42 and the rest; the same for float with 2^-16.
#define CTI_LN2_F64_1 0x1.62e42fefa38p-1
#define CTI_LN2_F64_2 0x1.ef35793c7673p-45
#define CTI_LN2_F32_1 0x1.62e4p-1f
#define CTI_LN2_F32_2 0x1.7f7d1cp-20f

#define CTI_TWO_OVER_PI_F64 0x1.45f306dc9c883p-1
#define CTI_TWO_OVER_PI_F32 0x1.45f306p-1f
#define CTI_LOG2E_F32 0x1.715476p+0f
#define CTI_LOG2E_128_F64 0x1.71547652b82fep+7
#define CTI_PI_F64 0x1.921fb54442d18p+1
#define CTI_PI_TAIL_F64 0x1.1a62633145c07p-53
#define CTI_PI_F32 0x1.921fb6p+1f
#define CTI_PI_TAIL_F32 -0x1.777a5cp-24f
#define CTI_HALF_PI_F64 0x1.921fb54442d18p+0
#define CTI_HALF_PI_TAIL_F64 0x1.1a62633145c07p-54
#define CTI_HALF_PI_F32 0x1.921fb6p+0f
#define CTI_HALF_PI_TAIL_F32 -0x1.777a5cp-25f
#define CTI_CBRT2_F64 0x1.428a2f98d728bp+0
#define CTI_CBRT4_F64 0x1.965fea53d6e3dp+0
#define CTI_LOG_SPLIT 54

// sin(x) = x + x z p(z), z = x^2, argument in [9.095e-13, 0.6181]: relative error 2^-57.81
CT_CONST double cti_poly_sin_f64[6] = {
    -0x1.5555555555548p-3,
    0x1.111111110f731p-7,
    -0x1.a01a019be93e7p-13,
    0x1.71de35554a28ep-19,
    -0x1.ae5e4b9f2cc17p-26,
    0x1.5d8b5e2c951d4p-33,
};

// cos(x) = 1 - z/2 + z^2 p(z), z = x^2, argument in [9.095e-13, 0.6181]: relative error 2^-63.65
CT_CONST double cti_poly_cos_f64[6] = {
    0x1.555555555554bp-5,
    -0x1.6c16c16c15005p-10,
    0x1.a01a019c8c86fp-16,
    -0x1.27e4f7ef17a84p-22,
    0x1.1ee9d9cf939e6p-29,
    -0x1.8fa559231bde5p-37,
};

// atan(x) = x + x z p(z), z = x^2, argument in [9.095e-13, 0.02647]: relative error 2^-66.71
CT_CONST double cti_poly_atan_f64[8] = {
    -0x1.5555555555555p-2,
    0x1.99999999996a8p-3,
    -0x1.249249244b264p-3,
    0x1.c71c715f2ed75p-4,
    -0x1.745ced3f1642fp-4,
    0x1.3b09c6738fa33p-4,
    -0x1.0fb45a2634879p-4,
    0x1.addc03bc7fda7p-5,
};

// asin(x) = x + x z p(z), z = x^2, argument in [9.095e-13, 0.25]: relative error 2^-59.72
CT_CONST double cti_poly_asin_f64[13] = {
    0x1.5555555555577p-3,
    0x1.333333332e131p-4,
    0x1.6db6db721266dp-5,
    0x1.f1c71a94f2efbp-6,
    0x1.6e8bdee04b20cp-6,
    0x1.1c49f05b4dea6p-6,
    0x1.ca1f8da684dbbp-7,
    0x1.75858774e324dp-7,
    0x1.613c9ac9370c8p-7,
    0x1.e5f49ad469749p-9,
    0x1.639cbdeaf641ap-6,
    -0x1.57fde8f949643p-6,
    0x1.0b46df3bc8b23p-5,
};

// exp(x) = 1 + x + x^2/2 + x^3 p(x), argument in [-0.00271, 0.00271]: relative error 2^-63.9
CT_CONST double cti_poly_exp_f64[3] = {
    0x1.5555555555abcp-3,
    0x1.55555a3b049cbp-5,
    0x1.111106a7a31a6p-7,
};

// log(1 + x) = x - x^2/2 + x^3 p(x), argument in [-0.00418, 0.00418]: relative error 2^-71.39
CT_CONST double cti_poly_log_f64[7] = {
    0x1.5555555555555p-2,
    -0x1.0000000000002p-2,
    0x1.99999999999a2p-3,
    -0x1.55555553f6a62p-3,
    0x1.24924922e4082p-3,
    -0x1.0001e0af7c66dp-3,
    0x1.c720446a26bd5p-4,
};

// cbrt(x) = p(x), a first estimate, argument in [1.0, 2.0]: relative error 2^-13.74
CT_CONST double cti_poly_cbrt_f64[4] = {
    0x1.1b0ba83ef1a8cp-1,
    0x1.2c9a44200df12p-1,
    -0x1.4dc3148db489bp-3,
    0x1.7a8d471ed48e6p-6,
};

// sin(x) = x + x z p(z), z = x^2, argument in [9.095e-13, 0.6181]: relative error 2^-32.23
CT_CONST float cti_poly_sin_f32[4] = {
    -0x1.555556p-3f,
    0x1.111174p-7f,
    -0x1.a059aep-13f,
    0x1.7c486cp-19f,
};

// cos(x) = 1 - z/2 + z^2 p(z), z = x^2, argument in [9.095e-13, 0.6181]: relative error 2^-32.88
CT_CONST float cti_poly_cos_f32[3] = {
    0x1.55554ap-5f,
    -0x1.6c0c28p-10f,
    0x1.99e87ap-16f,
};

// atan(x) = x + x z p(z), z = x^2, argument in [9.095e-13, 0.02647]: relative error 2^-30.92
CT_CONST float cti_poly_atan_f32[3] = {
    -0x1.55553ep-2f,
    0x1.996eaep-3f,
    -0x1.196942p-3f,
};

// asin(x) = x + x z p(z), z = x^2, argument in [9.095e-13, 0.25]: relative error 2^-31.32
CT_CONST float cti_poly_asin_f32[6] = {
    0x1.55554cp-3f,
    0x1.3338acp-4f,
    0x1.6ca72p-5f,
    0x1.04d5d6p-5f,
    0x1.d4e036p-7f,
    0x1.34e5c2p-5f,
};

// exp(x) = 1 + x + x^2/2 + x^3 p(x), argument in [-0.3469, 0.3469]: relative error 2^-32.43
CT_CONST float cti_poly_exp_f32[5] = {
    0x1.555554p-3f,
    0x1.5554e6p-5f,
    0x1.111332p-7f,
    0x1.6d4e54p-10f,
    0x1.9dd656p-13f,
};

// log(1 + x) = x - x^2/2 + x^3 p(x), argument in [-0.2929, 0.4142]: relative error 2^-28.35
CT_CONST float cti_poly_log_f32[9] = {
    0x1.555548p-2f,
    -0x1.000006p-2f,
    0x1.99a4b6p-3f,
    -0x1.555c4ep-3f,
    0x1.233768p-3f,
    -0x1.fc220ep-4f,
    0x1.e6f062p-4f,
    -0x1.de3be6p-4f,
    0x1.145782p-4f,
};

// 2/pi, 32 bits a word, after two words of zeros: word i has weight 2^(-32 (i - 1)).
CT_CONST uint32_t cti_two_over_pi[44] = {
    0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
    0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
    0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu,
    0xf0cfbc20u, 0x9af4361du, 0xa9e39161u, 0x5ee61b08u,
};

// 2^(i/128), head and tail.
CT_CONST double cti_exp_table[128][2] = {
    {0x1p+0, 0x0p+0},
    {0x1.0163da9fb3335p+0, 0x1.b61299ab8cdb7p-54},
    {0x1.02c9a3e778061p+0, -0x1.19083535b085dp-56},
    {0x1.04315e86e7f85p+0, -0x1.0a31c1977c96ep-54},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0706b29ddf6dep+0, -0x1.c91dfe2b13c27p-55},
    {0x1.0874518759bc8p+0, 0x1.186be4bb284ffp-57},
    {0x1.09e3ecac6f383p+0, 0x1.1487818316136p-54},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.0cc922b7247f7p+0, 0x1.01edc16e24f71p-54},
    {0x1.0e3ec32d3d1a2p+0, 0x1.03a1727c57b53p-59},
    {0x1.0fb66affed31bp+0, -0x1.b9bedc44ebd7bp-57},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.12abdc06c31ccp+0, -0x1.1b514b36ca5c7p-58},
    {0x1.1429aaea92dep+0, -0x1.32fbf9af1369ep-54},
    {0x1.15a98c8a58e51p+0, 0x1.2406ab9eeab0ap-55},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.18af9388c8deap+0, -0x1.11023d1970f6cp-54},
    {0x1.1a35beb6fcb75p+0, 0x1.e5b4c7b4968e4p-55},
    {0x1.1bbe084045cd4p+0, -0x1.95386352ef607p-54},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.1ed5022fcd91dp+0, -0x1.1df98027bb78cp-54},
    {0x1.2063b88628cd6p+0, 0x1.dc775814a8495p-55},
    {0x1.21f49917ddc96p+0, 0x1.2a97e9494a5eep-55},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.251ce4fb2a63fp+0, 0x1.ac155bef4f4a4p-55},
    {0x1.26b4565e27cddp+0, 0x1.2bd339940e9d9p-55},
    {0x1.284dfe1f56381p+0, -0x1.a4c3a8c3f0d7ep-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.2b87fd0dad99p+0, -0x1.10adcd6381aa4p-59},
    {0x1.2d285a6e4030bp+0, 0x1.0024754db41d5p-54},
    {0x1.2ecafa93e2f56p+0, 0x1.1ca0f45d52383p-56},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.32170fc4cd831p+0, 0x1.a9ce78e18047cp-55},
    {0x1.33c08b26416ffp+0, 0x1.32721843659a6p-54},
    {0x1.356c55f929ff1p+0, -0x1.b5cee5c4e4628p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.38cae6d05d866p+0, -0x1.e958d3c9904bdp-54},
    {0x1.3a7db34e59ff7p+0, -0x1.5e436d661f5e3p-56},
    {0x1.3c32dc313a8e5p+0, -0x1.efff8375d29c3p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.3fa4504ac801cp+0, -0x1.7d023f956f9f3p-54},
    {0x1.4160a21f72e2ap+0, -0x1.ef3691c309278p-58},
    {0x1.431f5d950a897p+0, -0x1.1c7dde35f7999p-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80dp-59},
    {0x1.46a41ed1d0057p+0, 0x1.c944bd1648a76p-54},
    {0x1.486a2b5c13cdp+0, 0x1.3c1a3b69062fp-56},
    {0x1.4a32af0d7d3dep+0, 0x1.9cb62f3d1be56p-54},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.4dcb299fddd0dp+0, 0x1.8ecdbbc6a7833p-54},
    {0x1.4f9b2769d2ca7p+0, -0x1.4b309d25957e3p-54},
    {0x1.516daa2cf6642p+0, -0x1.f768569bd93efp-55},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.551a4ca5d920fp+0, -0x1.d689cefede59bp-55},
    {0x1.56f4736b527dap+0, 0x1.9bb2c011d93adp-54},
    {0x1.58d12d497c7fdp+0, 0x1.295e15b9a1de8p-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.5c9268a5946b7p+0, 0x1.c4b1b816986a2p-60},
    {0x1.5e76f15ad2148p+0, 0x1.ba6f93080e65ep-54},
    {0x1.605e1b976dc09p+0, -0x1.3e2429b56de47p-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6434634ccc32p+0, -0x1.c483c759d8933p-55},
    {0x1.6623882552225p+0, -0x1.bb60987591c34p-54},
    {0x1.68155d44ca973p+0, 0x1.038ae44f73e65p-57},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.6c012750bdabfp+0, -0x1.2895667ff0b0dp-56},
    {0x1.6dfb23c651a2fp+0, -0x1.bbe3a683c88abp-57},
    {0x1.6ff7df9519484p+0, -0x1.83c0f25860ef6p-55},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.73f9a48a58174p+0, -0x1.0a8d96c65d53cp-54},
    {0x1.75feb564267c9p+0, -0x1.0245957316dd3p-54},
    {0x1.780694fde5d3fp+0, 0x1.866b80a02162dp-54},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.7c1ed0130c132p+0, 0x1.f124cd1164dd6p-54},
    {0x1.7e2f336cf4e62p+0, 0x1.05d02ba15797ep-56},
    {0x1.80427543e1a12p+0, -0x1.27c86626d972bp-54},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8471a4623c7adp+0, -0x1.8d684a341cdfbp-55},
    {0x1.868d99b4492edp+0, -0x1.fc6f89bd4f6bap-54},
    {0x1.88ac7d98a6699p+0, 0x1.994c2f37cb53ap-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.8cf3216b5448cp+0, -0x1.0d55e32e9e3aap-56},
    {0x1.8f1ae99157736p+0, 0x1.5cc13a2e3976cp-55},
    {0x1.9145b0b91ffc6p+0, -0x1.dd6792e582524p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.95a44cbc8520fp+0, -0x1.64b7c96a5f039p-56},
    {0x1.97d829fde4e5p+0, -0x1.d185b7c1b85d1p-54},
    {0x1.9a0f170ca07bap+0, -0x1.173bd91cee632p-54},
    {0x1.9c49182a3f09p+0, 0x1.c7c46b071f2bep-56},
    {0x1.9e86319e32323p+0, 0x1.824ca78e64c6ep-56},
    {0x1.a0c667b5de565p+0, -0x1.359495d1cd533p-54},
    {0x1.a309bec4a2d33p+0, 0x1.6305c7ddc36abp-54},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.a799e1330b358p+0, 0x1.bcb7ecac563c7p-54},
    {0x1.a9e6b5579fdbfp+0, 0x1.0fac90ef7fd31p-54},
    {0x1.ac36bbfd3f37ap+0, -0x1.f9234cae76cdp-55},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b0e07298db666p+0, -0x1.bdef54c80e425p-54},
    {0x1.b33a2b84f15fbp+0, -0x1.2805e3084d708p-57},
    {0x1.b59728de5593ap+0, -0x1.c71dfbbba6de3p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.ba5b030a1064ap+0, -0x1.efcd30e54292ep-54},
    {0x1.bcc1e904bc1d2p+0, 0x1.23dd07a2d9e84p-55},
    {0x1.bf2c25bd71e09p+0, -0x1.efdca3f6b9c73p-54},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.c40ab5fffd07ap+0, 0x1.b4537e083c60ap-54},
    {0x1.c67f12e57d14bp+0, 0x1.2884dff483cadp-54},
    {0x1.c8f6d9406e7b5p+0, 0x1.1acbc48805c44p-56},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.cdf0b555dc3fap+0, -0x1.dd83b53829d72p-55},
    {0x1.d072d4a07897cp+0, -0x1.cbc3743797a9cp-54},
    {0x1.d2f87080d89f2p+0, -0x1.d487b719d8578p-54},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.d80e316c98398p+0, -0x1.11ec18beddfe8p-54},
    {0x1.da9e603db3285p+0, 0x1.c2300696db532p-54},
    {0x1.dd321f301b46p+0, 0x1.2da5778f018c3p-54},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.e264614f5a129p+0, -0x1.7b627817a1496p-54},
    {0x1.e502ee78b3ff6p+0, 0x1.39e8980a9cc8fp-55},
    {0x1.e7a51fbc74c83p+0, 0x1.2d522ca0c8de2p-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.ecf482d8e67f1p+0, -0x1.c93f3b411ad8cp-54},
    {0x1.efa1bee615a27p+0, 0x1.dc7f486a4b6bp-54},
    {0x1.f252b376bba97p+0, 0x1.3a1a5bf0d8e43p-54},
    {0x1.f50765b6e454p+0, 0x1.9d3e12dd8a18bp-54},
    {0x1.f7bfdad9cbe14p+0, -0x1.dbb12d006350ap-54},
    {0x1.fa7c1819e90d8p+0, 0x1.74853f3a5931ep-55},
    {0x1.fd3c22b8f71f1p+0, 0x1.2eb74966579e7p-57},
};

// 1/c rounded to 12 bits, and minus its logarithm as a multiple of 2^-42 plus tail; c = 1 + i/128.
// From CTI_LOG_SPLIT on, log 2 is taken off.
CT_CONST double cti_log_table[129][3] = {
    {0x1p+0, 0x0p+0, 0x0p+0},
    {0x1.fcp-1, 0x1.010157588p-7, 0x1.bce251998b506p-44},
    {0x1.f82p-1, 0x1.fbea8b13cp-7, 0x1.ec927b17e4e13p-50},
    {0x1.f44p-1, 0x1.7c61b1cf6p-6, -0x1.08fc8f849a447p-45},
    {0x1.f08p-1, 0x1.f7a9b1678p-6, 0x1.42ad9271be7d7p-45},
    {0x1.eccp-1, 0x1.39f07ba0e8p-5, 0x1.eb129d642e577p-44},
    {0x1.e92p-1, 0x1.766d923c2p-5, 0x1.ff0a82f1c24c1p-46},
    {0x1.e58p-1, 0x1.b35dd9b588p-5, 0x1.d5674d6cf558ep-44},
    {0x1.e1ep-1, 0x1.f0c30c1118p-5, -0x1.caef3588b7d8p-45},
    {0x1.de6p-1, 0x1.163d6ef958p-4, -0x1.7f3b038d8e6ebp-46},
    {0x1.daep-1, 0x1.345179b63cp-4, 0x1.d4203d36150dp-44},
    {0x1.d78p-1, 0x1.518874226p-4, 0x1.30a1d96258b3ep-44},
    {0x1.d42p-1, 0x1.6ef528c058p-4, -0x1.5d462d767cadep-44},
    {0x1.d0cp-1, 0x1.8c985e9bap-4, -0x1.37c377e430036p-44},
    {0x1.cd8p-1, 0x1.a956d3ecacp-4, 0x1.e63794c02c4afp-44},
    {0x1.ca4p-1, 0x1.c6494a2e4p-4, 0x1.8a5e8ab20c4e6p-44},
    {0x1.c72p-1, 0x1.e2507702bp-4, -0x1.f897980522249p-45},
    {0x1.c4p-1, 0x1.fe89139dbcp-4, 0x1.56594d82f7a82p-44},
    {0x1.c0ep-1, 0x1.0d79e7cd48p-3, 0x1.cb422847849e4p-44},
    {0x1.bdep-1, 0x1.1b35ae3b82p-3, -0x1.20a2e76016a9dp-46},
    {0x1.bacp-1, 0x1.299d30c606p-3, 0x1.d4d0079dc08d9p-44},
    {0x1.b7ep-1, 0x1.36f4c27578p-3, -0x1.4d9e2683a54edp-44},
    {0x1.b4ep-1, 0x1.44f8b726f8p-3, 0x1.df6a4432b9bb4p-44},
    {0x1.b2p-1, 0x1.527e5e4a1cp-3, -0x1.4e60b8d4b411dp-44},
    {0x1.af2p-1, 0x1.601b076e7ap-3, 0x1.152d7d4dfc8e5p-44},
    {0x1.ac6p-1, 0x1.6d35fee52cp-3, -0x1.f127eb4f64e1fp-45},
    {0x1.a98p-1, 0x1.7b00916516p-3, -0x1.ae75fcb067e57p-44},
    {0x1.a6ep-1, 0x1.87ad07c494p-3, -0x1.70f53c386330ap-44},
    {0x1.a42p-1, 0x1.9509aa0044p-3, 0x1.f1e675b4d35c6p-44},
    {0x1.a16p-1, 0x1.a27cc3064p-3, 0x1.d954963274bb8p-44},
    {0x1.9ecp-1, 0x1.af6895610ep-3, -0x1.148288bf7a937p-45},
    {0x1.9c2p-1, 0x1.bc69684aeep-3, 0x1.8f6d5d141f9bdp-45},
    {0x1.99ap-1, 0x1.c8df7cb9a8p-3, 0x1.eee42f58e1e6ep-44},
    {0x1.97p-1, 0x1.d60a17f904p-3, -0x1.5d6e06fc20d39p-44},
    {0x1.948p-1, 0x1.e2a877a6b2p-3, 0x1.823817787081ap-44},
    {0x1.92p-1, 0x1.ef5ade4ddp-3, -0x1.a211565bb8e11p-51},
    {0x1.8fap-1, 0x1.fb7d86eee4p-3, -0x1.1c061cdb8097bp-45},
    {0x1.8d4p-1, 0x1.03d95a1d67p-2, 0x1.a17880f236109p-44},
    {0x1.8acp-1, 0x1.0a504e97bbp-2, 0x1.03094e6690c44p-44},
    {0x1.886p-1, 0x1.107e404ab1p-2, -0x1.fb921823aafdap-48},
    {0x1.862p-1, 0x1.1661caecbap-2, -0x1.171fff9fc4abbp-44},
    {0x1.83cp-1, 0x1.1ca28c64bbp-2, -0x1.ac4f842f5566bp-46},
    {0x1.818p-1, 0x1.22981fbef8p-2, -0x1.a1421609580dap-44},
    {0x1.7f4p-1, 0x1.2896a13e08p-2, 0x1.a8ed027e16952p-44},
    {0x1.7dp-1, 0x1.2e9e2bce12p-2, 0x1.4300c128d1dc2p-45},
    {0x1.7aep-1, 0x1.34585a594cp-2, -0x1.d4d9bf230f411p-44},
    {0x1.78ap-1, 0x1.3a71c56bb5p-2, -0x1.ce772094aef7p-44},
    {0x1.768p-1, 0x1.403d086ceap-2, 0x1.e6ef574487308p-44},
    {0x1.746p-1, 0x1.4610bc29c6p-2, -0x1.e82c9f310c8e6p-46},
    {0x1.724p-1, 0x1.4becf95d98p-2, -0x1.bb33b20023a7p-44},
    {0x1.702p-1, 0x1.51d1d93104p-2, 0x1.5b0faa20d9c8ep-44},
    {0x1.6e2p-1, 0x1.5765f1749ep-2, -0x1.6532d93e0d82bp-44},
    {0x1.6c2p-1, 0x1.5d01dc49ffp-2, 0x1.740ab8cfa5ed3p-45},
    {0x1.6a2p-1, 0x1.62a5afc061p-2, 0x1.0f54a2beeff32p-45},
    {0x1.682p-1, -0x1.5d76dd9a78p-2, 0x1.cbf6c326244f5p-44},
    {0x1.662p-1, -0x1.57c2f53b05p-2, -0x1.0494c017c2a52p-45},
    {0x1.642p-1, -0x1.5206dfd186p-2, -0x1.c58cfd28f3cd8p-44},
    {0x1.624p-1, -0x1.4c9f09e153p-2, 0x1.e1dde70e02dep-45},
    {0x1.606p-1, -0x1.472fdbe4fdp-2, -0x1.f9364c53f821fp-45},
    {0x1.5e8p-1, -0x1.41b941cce1p-2, 0x1.0469013e43fc9p-44},
    {0x1.5cap-1, -0x1.3c3b2736b4p-2, 0x1.3e5d1e9d3ddf9p-47},
    {0x1.5acp-1, -0x1.36b5776bc1p-2, -0x1.169785a9c223fp-46},
    {0x1.58ep-1, -0x1.31281d5f11p-2, 0x1.6e10e6a8b7abcp-48},
    {0x1.572p-1, -0x1.2bf287cc41p-2, -0x1.b0f4f549d8ecfp-45},
    {0x1.556p-1, -0x1.26b620935p-2, -0x1.8f08bb3f17379p-44},
    {0x1.53ap-1, -0x1.2172d5c2acp-2, 0x1.115594223fc7p-44},
    {0x1.51ep-1, -0x1.1c2895218fp-2, -0x1.5ff09640395a7p-45},
    {0x1.502p-1, -0x1.16d74c2e8bp-2, 0x1.cd0784d2e5077p-45},
    {0x1.4e6p-1, -0x1.117ee81dfep-2, -0x1.30f778a2e8cbdp-44},
    {0x1.4cap-1, -0x1.0c1f55d88bp-2, 0x1.d7d9ef6c0426bp-44},
    {0x1.4bp-1, -0x1.071b85fcd6p-2, 0x1.bcb8ba3e01a11p-44},
    {0x1.496p-1, -0x1.021164a929p-2, -0x1.ba287f3b5dd98p-47},
    {0x1.47ap-1, -0x1.f939c4e72ep-3, 0x1.4c5fc35fe2798p-44},
    {0x1.46p-1, -0x1.ef0adcbdc6p-3, 0x1.b26b79c86af24p-45},
    {0x1.446p-1, -0x1.e4ceeda61ep-3, 0x1.2ccbe398170f7p-46},
    {0x1.42ep-1, -0x1.db50da24bep-3, 0x1.9bcb7d201aba8p-44},
    {0x1.414p-1, -0x1.d0fb7f2256p-3, 0x1.af52b20633b29p-47},
    {0x1.3fcp-1, -0x1.c765b9e4d6p-3, -0x1.1ab6b36976f6cp-44},
    {0x1.3e2p-1, -0x1.bcf6736f7ep-3, 0x1.271e894f591e4p-44},
    {0x1.3cap-1, -0x1.b34885022ep-3, -0x1.03ba859924374p-44},
    {0x1.3b2p-1, -0x1.a98ed238b8p-3, -0x1.126ffb47b9acp-48},
    {0x1.39ap-1, -0x1.9fc93e540ap-3, 0x1.e78b994e84c43p-46},
    {0x1.382p-1, -0x1.95f7ac2b3cp-3, 0x1.615d77a1ffe43p-44},
    {0x1.36ap-1, -0x1.8c19fe2982p-3, -0x1.5e01e0d7c912bp-49},
    {0x1.352p-1, -0x1.8230164c1ap-3, -0x1.98dd68a5d0b48p-46},
    {0x1.33ap-1, -0x1.7839d62024p-3, 0x1.55cc584009f24p-44},
    {0x1.324p-1, -0x1.6f0d28ae56p-3, -0x1.69737c93373dap-44},
    {0x1.30ep-1, -0x1.65d5e99cc4p-3, 0x1.dc4348e559bc8p-46},
    {0x1.2f6p-1, -0x1.5bbc05f14p-3, -0x1.21892c55da347p-45},
    {0x1.2ep-1, -0x1.526e5e3a1cp-3, 0x1.790ba37fc5238p-44},
    {0x1.2cap-1, -0x1.4915d832fcp-3, 0x1.53cee006bcf62p-44},
    {0x1.2b4p-1, -0x1.3fb25a5952p-3, -0x1.195be6b358ff7p-44},
    {0x1.29ep-1, -0x1.3643cad058p-3, -0x1.1e18f2132dfd5p-44},
    {0x1.288p-1, -0x1.2cca0f5f6p-3, 0x1.b5ef191aff12p-44},
    {0x1.274p-1, -0x1.2423113ba6p-3, 0x1.e3a0078ee9d9cp-44},
    {0x1.25ep-1, -0x1.1a93b7d43p-3, 0x1.3debbf4ec55f3p-44},
    {0x1.24ap-1, -0x1.11d8e5e29p-3, -0x1.1c6fa52eaa55bp-45},
    {0x1.234p-1, -0x1.08338affa2p-3, -0x1.0533cac823e27p-44},
    {0x1.22p-1, -0x1.fec9131dcp-4, 0x1.54555d1ae6607p-44},
    {0x1.20cp-1, -0x1.ed1794e838p-4, 0x1.fd143749d0484p-46},
    {0x1.1f8p-1, -0x1.db5270187cp-4, -0x1.9277856ae181fp-44},
    {0x1.1e2p-1, -0x1.c7af7a8474p-4, 0x1.289ae375f8578p-44},
    {0x1.1dp-1, -0x1.b78c82bb1p-4, 0x1.25ef7bc3987e7p-44},
    {0x1.1bcp-1, -0x1.a58b60c2b4p-4, 0x1.cdc735c5c9f2ap-44},
    {0x1.1a8p-1, -0x1.9375e55594p-4, -0x1.eddc37380c364p-44},
    {0x1.194p-1, -0x1.814be23f8cp-4, -0x1.b2381da82fdfdp-51},
    {0x1.182p-1, -0x1.70e12b325cp-4, -0x1.0530d95714cd1p-45},
    {0x1.16ep-1, -0x1.5e8fa4d858p-4, -0x1.1c6fce08d711p-44},
    {0x1.15cp-1, -0x1.4e01108a34p-4, -0x1.ae5cfdf2c5ae5p-44},
    {0x1.148p-1, -0x1.3b87598b1cp-4, 0x1.2241594aca313p-45},
    {0x1.136p-1, -0x1.2ad449eff4p-4, 0x1.cea3ae5f05b87p-44},
    {0x1.124p-1, -0x1.1a0fba1bf8p-4, -0x1.4a3fcc319d6dcp-45},
    {0x1.112p-1, -0x1.0939853a1cp-4, -0x1.91761e583dc8fp-45},
    {0x1.0fep-1, -0x1.ecdf0f87b8p-5, 0x1.e97bceb5803f8p-45},
    {0x1.0ecp-1, -0x1.cae72fb96p-5, 0x1.efabf2025b1bep-44},
    {0x1.0dcp-1, -0x1.ac9722171p-5, -0x1.f8d3ef013222cp-45},
    {0x1.0cap-1, -0x1.8a5a9cc618p-5, 0x1.9ae2900180e9ap-44},
    {0x1.0b8p-1, -0x1.67f94f0948p-5, -0x1.ecc1f3e7e4ed7p-44},
    {0x1.0a6p-1, -0x1.4572e981c8p-5, -0x1.6c7eaf9b37d75p-44},
    {0x1.096p-1, -0x1.26a32a86dp-5, -0x1.7b8f856a4077p-44},
    {0x1.084p-1, -0x1.03d5d85e7p-5, -0x1.f778960ed29cfp-44},
    {0x1.074p-1, -0x1.c98d18d01p-6, 0x1.bf6150589df0fp-45},
    {0x1.062p-1, -0x1.83624fba8p-6, -0x1.deb9c96b40046p-45},
    {0x1.052p-1, -0x1.44c28d451p-6, -0x1.98b0a50467942p-44},
    {0x1.042p-1, -0x1.05e547827p-6, 0x1.0dbde21f5e1f8p-44},
    {0x1.03p-1, -0x1.7dc475f82p-7, 0x1.eb1245b5da1f5p-44},
    {0x1.02p-1, -0x1.fe02a6b1p-8, -0x1.9e23f0dda40e4p-46},
    {0x1.01p-1, -0x1.ff00aa2bp-9, -0x1.0bc04a086b56ap-45},
    {0x1p-1, 0x0p+0, 0x0p+0},
};

// c and atan(c), head and tail.
CT_CONST double cti_atan_table_f64[4][3] = {
    {0x0p+0, 0x0p+0, 0x0p+0},
    {0x1p-2, 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1p-1, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1p+0, 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// c and atan(c), head and tail.
CT_CONST float cti_atan_table_f32[4][3] = {
    {0x0p+0f, 0x0p+0f, 0x0p+0f},
    {0x1p-2f, 0x1.f5b76p-3f, -0x1.b4dfc8p-29f},
    {0x1p-1f, 0x1.dac67p-2f, 0x1.586ed4p-28f},
    {0x1p+0f, 0x1.921fb6p-1f, -0x1.777a5cp-26f},
};

// clang-format on

// Unicode 14.0.0: the characters that lower case and the cutting of words must know.
// Made by make_unicode_tables.py from Python 3.11.7. A newer Unicode needs the script, not an editor.
#pragma once

#include <string_view>

namespace plainformer::unicode {

// Runs of equal class, from U+0000 on: the letter of the CharacterClass, and the number of characters.
inline constexpr std::string_view kClassRuns =
    "i33s7o1s7n10s7l26o1s5l26o1s3i34s9l1o1s1i1s4n2s1l1s3n1l1s1n3s1l23s1l31s1l458s4l12s14l5s7l1s1l1s17m112l5s1"
    "l8s1l5s2l1s1l110s1l139s1m7l208s6l41s2l2s3l1m45s1m1s1m2s1m2s1m1l43s2l11i6s10m11s1i1s3l43m21n10s4l2m1l99s1"
    "l1m7i1s1m6l2m2s1m4l2n10l3s2l1s14l1i1l1m1l30m27l91m11l15n10l33m9l2s4l3m1s2l22m4l1m9l1m3l1m5l2s15l26m3l2s1"
    "l41s1l7i2l6m8l42m24i1m33l54m3l1m18l1m7l10m2s2n10s1l16m3l56m1l1m7l2m2l2m3l9m1l10m2l2n10l2s2n6s2l1s1m1l2m3"
    "l56m1l1m5l4m2l2m3l3m1l20n10m2l3m1s1l10m3l56m1l1m8l1m3l1m3l20m2l2n10s2l8m6l1m3l56m1l1m7l2m2l2m3l7m3l10m2"
    "l2n10s1l1n6l10m1l59m5l3m3l1m4l9m1l14n13s8l5m5l55m1l1m7l1m3l1m4l7m2l11m2l2n10l7s1n7s1l1m3s1l55m1l1m7l1m3"
    "l1m4l7m2l11m2l2n10l16m4l55m2l1m7l1m3l1m4l1s1l7m1n7l3m2l2n19s1l7m3l70m1l4m6l1m1l1m8l6n10l2m2s1l12u48m1u2"
    "m7l4u8m8u1n10u2l37u2l1u1l1u5l1u24l1u1l1u10m1u2m9u1l2u5l1u1l1m6l2n10l2u4l32u24m2u6n20u1m1u1m1u1m1u4m2u8l1"
    "u36l4m20u1m2u5m11l1m36l1u8m1u6l1u7s4u2l37u43m20u1n10u12m4u4m3u1m3u2m7u3m4u13m12u1m1n10m4u2l91s1l609m3s9"
    "n20l19s10l102s1l620s2l17i1l26o1s1l78s3n3l33m4l28m3s2l27m2l30m2l12u52m32u9m1l2n10l6n10l6s11m3i1m1n10l107"
    "m2l34m1l118m12l4m12l4s1l3s2n10u30l2u5l11u44l4u26l6n11l3u34l23m5l2s2u53m10l1m29l2m1n10l6n10l6u14l2m31l49"
    "m5u47m17u8l3n10u17m9u11l1m3l30m13l2n10l44m14l8s4l36m20l3s5n10l6n10l36s2l64s8l8m3s1m21l4m1l6m1l2m3l198m64"
    "l445s1l1s3l11s3l13s3l13s3l13s2l1i16s8o1s1o3s1o2s8i8s9o1s11o1s25i6l1i10n1l3n6s3o1s1l1n10s3o1s1l17s33l15"
    "m33l15s2l1s4l1s2l10s1l1s3l5s6l1s1l1s1l1s1l4s1l11s2l4s5l5s4l1s1n51l2n5s2l4s376o1s1o1s30o1s253l25s11l21n60"
    "s78n22s616o1s1o1s1o1s1o1s1o1s1o1s1o1s1n30s49o1s32o1s1o1s1o1s1o1s1o1s404o1s1o1s1o1s1o1s1o1s1o1s1o1s1o1s1"
    "o1s1o1s1o1s64o1s1o1s33o1s375l2s32l1s105l229s6l4m3l7s4n1s2l112s1l14m1l96m32s2o1s1o1s4o1s2o1s15o1s3o1s1o1"
    "s1o1s1o1s1o1s6l1s18o1s18o1s1o1s1o1s1o1s2l34u26l1u89l12u214l26u12l4i1u32n9m6u1l5u2n3l2u3l1u86l2m2u101l5"
    "u43l96u2n4u42s36l12u16s31l1n10s30n8s1n15s32n10s39n15u12s140u25s111u31s1u6592s64u22157l3s55l55s2l269s3l16"
    "n10l69m4s1m10s1l31m2l70n10m2s6l8s23l9s2l103s2l119m1l3m1l4m1l23m5s4m1l3n6s4l58s4l8m2l50m18l8s2n10l6m18l6"
    "s3l1s1l2m1n10l28m8s2l23m13l11s1l32m4u47m14u13l1u1n10l4u7m1u10n10u5l42m14l12m1l8m2l2n10l2s4u27m3u50m1u1m3"
    "u2m2u5m2u1m1u1l24u5l11m5s2l3m2l100s1l14s2l119m8s1m2l2n10l19718u366l2u106l68m1l10s1l136s17l379s1o1s16l127"
    "s1l44s4m16s7o1s2l6m16s5o1s1o1s1o1s1o1s1o1s1o1s1o1s1o1s3o1s11l1s5o1s1o1s1o1s9l1s4l147i1l1u15n10u7l26u6l26"
    "u69l64s7l1s7l10i3s2l258s3l4n45l3s9n57s17n2s3l1s13l3s1l47s45m1l226m1n27l36n4l29n1l8n1l43m5l36s1l48s1n5"
    "l202n10l197s1l743s1n8l23s2n7l39n9l75n5l22n6l3s1l31s1l124n2l2n16l2n46l1m3l1m2l5m4l40m3l4m1n9l7s9l36n2s1"
    "l29n3l40s1l28m2l4n5s7l66s7l24n8l24n8l25s4l12n7l330n6l36m4l8n10l294n31l44m2s1l111n10l31m11n4s5l40m4s4l59"
    "n7l52m3l53m15s7l4n30m1l2m2l10m4l45m11s2i1s4m1l10i1l34n10l6m3l36m14l1n10s4l1m2l44m1s2l10m3l48m14l4s4m4s1"
    "m2n10l1s1l1s3l1n20l55m12s6m1l106s1l53m12l5n10l6m4l55m2l1m7l2m2l2m3l9m1l10m2l2m7l3m5l192m18l4s5n10s2l1s1"
    "m1l81m20l2s1l9n10l213m7l2m9s23l4m2l82m17s3l12n10l6s13l62m13l1s1l6n10l83m15l4n12s4l236m15s1l164n19l61m6l1"
    "m2l2m4l1m1l1m2s3l9n10l119m7l2m7l1s1l1m1l28m10l40m7l1m4s8m1l9m11l46m16s3l1s5l396m8l1m8l1s5l10n29l3s2l32"
    "m22l1m14l122m6l3m1l1m2l1m7l1m1l8n10l48m5l1m2l1m5l8n10l329m4s2l199n21s29l13s1l1024n111l1s5l2940s2l1085i9"
    "l13863n10l4s2l80n10l38m5s1l58m7s9l4s2l10n10l1n7l798n23s4l180m1l1m55l7m4l77u2s1l1m1l11m2l6158u768l9456u4"
    "l1u7l1u2l1u2l285u4l45u3l17u4l8u396l2464s1m2s1i4l4700m46l2m23l9s116l60s246l10s39l2s60m5s3m6i8m8s2m7s30m4"
    "s61l21s66m3s1l154n20l12s87l9n25l840s1l25s1l31s1l25s1l31s1l25s1l31s1l25s1l31s1l25s1l10n50s512m55s4m50s8m1"
    "s14m1s7l15m5l1m15l1360m7l1m17l2m7l1m2l1m5l261m7l9n10l5s1l350m1l61m4n10l5s1l1479n9m7l109m7l5n10l4s2l785"
    "n59s1n3s1n4l76n45s1n15l434s2l270s44l4s100l12s15l2s15l1s15l1s37l10n13s161l56s29l13s44l4s9l7s2l14s6l154"
    "s984l5s16l3s13l3s116l12s89l7s12l4s1l15s12l4s56l8s10l6s40l8s30l2s2l78s340l12s14l2s5l3s5l3s7l9s29l3s11l5s6"
    "l10s10l6s8l8s7l9s147l1s55l37n10l1030u42720l32u4153l7u222l2u5762l14u7473l3103u542l1506u4939l715958i1l30"
    "i96l128m240l196112";

struct CapitalRange {
  char32_t first, last;
  int step;    // 1: all of them are capitals; 2: every other one
  int offset;  // from the capital to its small letter
};

// Capitals. U+0130 is left out, because its small letter is two characters.
// clang-format off
inline constexpr CapitalRange kCapitals[] = {
    {0x41, 0x5a, 1, 32}, {0xc0, 0xd6, 1, 32}, {0xd8, 0xde, 1, 32}, {0x100, 0x12e, 2, 1}, {0x132, 0x136, 2, 1},
    {0x139, 0x147, 2, 1}, {0x14a, 0x176, 2, 1}, {0x178, 0x178, 1, -121}, {0x179, 0x17d, 2, 1},
    {0x181, 0x181, 1, 210}, {0x182, 0x184, 2, 1}, {0x186, 0x186, 1, 206}, {0x187, 0x187, 1, 1},
    {0x189, 0x18a, 1, 205}, {0x18b, 0x18b, 1, 1}, {0x18e, 0x18e, 1, 79}, {0x18f, 0x18f, 1, 202},
    {0x190, 0x190, 1, 203}, {0x191, 0x191, 1, 1}, {0x193, 0x193, 1, 205}, {0x194, 0x194, 1, 207},
    {0x196, 0x196, 1, 211}, {0x197, 0x197, 1, 209}, {0x198, 0x198, 1, 1}, {0x19c, 0x19c, 1, 211},
    {0x19d, 0x19d, 1, 213}, {0x19f, 0x19f, 1, 214}, {0x1a0, 0x1a4, 2, 1}, {0x1a6, 0x1a6, 1, 218},
    {0x1a7, 0x1a7, 1, 1}, {0x1a9, 0x1a9, 1, 218}, {0x1ac, 0x1ac, 1, 1}, {0x1ae, 0x1ae, 1, 218},
    {0x1af, 0x1af, 1, 1}, {0x1b1, 0x1b2, 1, 217}, {0x1b3, 0x1b5, 2, 1}, {0x1b7, 0x1b7, 1, 219},
    {0x1b8, 0x1b8, 1, 1}, {0x1bc, 0x1bc, 1, 1}, {0x1c4, 0x1c4, 1, 2}, {0x1c5, 0x1c5, 1, 1},
    {0x1c7, 0x1c7, 1, 2}, {0x1c8, 0x1c8, 1, 1}, {0x1ca, 0x1ca, 1, 2}, {0x1cb, 0x1db, 2, 1},
    {0x1de, 0x1ee, 2, 1}, {0x1f1, 0x1f1, 1, 2}, {0x1f2, 0x1f4, 2, 1}, {0x1f6, 0x1f6, 1, -97},
    {0x1f7, 0x1f7, 1, -56}, {0x1f8, 0x21e, 2, 1}, {0x220, 0x220, 1, -130}, {0x222, 0x232, 2, 1},
    {0x23a, 0x23a, 1, 10795}, {0x23b, 0x23b, 1, 1}, {0x23d, 0x23d, 1, -163}, {0x23e, 0x23e, 1, 10792},
    {0x241, 0x241, 1, 1}, {0x243, 0x243, 1, -195}, {0x244, 0x244, 1, 69}, {0x245, 0x245, 1, 71},
    {0x246, 0x24e, 2, 1}, {0x370, 0x372, 2, 1}, {0x376, 0x376, 1, 1}, {0x37f, 0x37f, 1, 116},
    {0x386, 0x386, 1, 38}, {0x388, 0x38a, 1, 37}, {0x38c, 0x38c, 1, 64}, {0x38e, 0x38f, 1, 63},
    {0x391, 0x3a1, 1, 32}, {0x3a3, 0x3ab, 1, 32}, {0x3cf, 0x3cf, 1, 8}, {0x3d8, 0x3ee, 2, 1},
    {0x3f4, 0x3f4, 1, -60}, {0x3f7, 0x3f7, 1, 1}, {0x3f9, 0x3f9, 1, -7}, {0x3fa, 0x3fa, 1, 1},
    {0x3fd, 0x3ff, 1, -130}, {0x400, 0x40f, 1, 80}, {0x410, 0x42f, 1, 32}, {0x460, 0x480, 2, 1},
    {0x48a, 0x4be, 2, 1}, {0x4c0, 0x4c0, 1, 15}, {0x4c1, 0x4cd, 2, 1}, {0x4d0, 0x52e, 2, 1},
    {0x531, 0x556, 1, 48}, {0x10a0, 0x10c5, 1, 7264}, {0x10c7, 0x10c7, 1, 7264}, {0x10cd, 0x10cd, 1, 7264},
    {0x13a0, 0x13ef, 1, 38864}, {0x13f0, 0x13f5, 1, 8}, {0x1c90, 0x1cba, 1, -3008},
    {0x1cbd, 0x1cbf, 1, -3008}, {0x1e00, 0x1e94, 2, 1}, {0x1e9e, 0x1e9e, 1, -7615}, {0x1ea0, 0x1efe, 2, 1},
    {0x1f08, 0x1f0f, 1, -8}, {0x1f18, 0x1f1d, 1, -8}, {0x1f28, 0x1f2f, 1, -8}, {0x1f38, 0x1f3f, 1, -8},
    {0x1f48, 0x1f4d, 1, -8}, {0x1f59, 0x1f5f, 2, -8}, {0x1f68, 0x1f6f, 1, -8}, {0x1f88, 0x1f8f, 1, -8},
    {0x1f98, 0x1f9f, 1, -8}, {0x1fa8, 0x1faf, 1, -8}, {0x1fb8, 0x1fb9, 1, -8}, {0x1fba, 0x1fbb, 1, -74},
    {0x1fbc, 0x1fbc, 1, -9}, {0x1fc8, 0x1fcb, 1, -86}, {0x1fcc, 0x1fcc, 1, -9}, {0x1fd8, 0x1fd9, 1, -8},
    {0x1fda, 0x1fdb, 1, -100}, {0x1fe8, 0x1fe9, 1, -8}, {0x1fea, 0x1feb, 1, -112}, {0x1fec, 0x1fec, 1, -7},
    {0x1ff8, 0x1ff9, 1, -128}, {0x1ffa, 0x1ffb, 1, -126}, {0x1ffc, 0x1ffc, 1, -9}, {0x2126, 0x2126, 1, -7517},
    {0x212a, 0x212a, 1, -8383}, {0x212b, 0x212b, 1, -8262}, {0x2132, 0x2132, 1, 28}, {0x2160, 0x216f, 1, 16},
    {0x2183, 0x2183, 1, 1}, {0x24b6, 0x24cf, 1, 26}, {0x2c00, 0x2c2f, 1, 48}, {0x2c60, 0x2c60, 1, 1},
    {0x2c62, 0x2c62, 1, -10743}, {0x2c63, 0x2c63, 1, -3814}, {0x2c64, 0x2c64, 1, -10727},
    {0x2c67, 0x2c6b, 2, 1}, {0x2c6d, 0x2c6d, 1, -10780}, {0x2c6e, 0x2c6e, 1, -10749},
    {0x2c6f, 0x2c6f, 1, -10783}, {0x2c70, 0x2c70, 1, -10782}, {0x2c72, 0x2c72, 1, 1}, {0x2c75, 0x2c75, 1, 1},
    {0x2c7e, 0x2c7f, 1, -10815}, {0x2c80, 0x2ce2, 2, 1}, {0x2ceb, 0x2ced, 2, 1}, {0x2cf2, 0x2cf2, 1, 1},
    {0xa640, 0xa66c, 2, 1}, {0xa680, 0xa69a, 2, 1}, {0xa722, 0xa72e, 2, 1}, {0xa732, 0xa76e, 2, 1},
    {0xa779, 0xa77b, 2, 1}, {0xa77d, 0xa77d, 1, -35332}, {0xa77e, 0xa786, 2, 1}, {0xa78b, 0xa78b, 1, 1},
    {0xa78d, 0xa78d, 1, -42280}, {0xa790, 0xa792, 2, 1}, {0xa796, 0xa7a8, 2, 1}, {0xa7aa, 0xa7aa, 1, -42308},
    {0xa7ab, 0xa7ab, 1, -42319}, {0xa7ac, 0xa7ac, 1, -42315}, {0xa7ad, 0xa7ad, 1, -42305},
    {0xa7ae, 0xa7ae, 1, -42308}, {0xa7b0, 0xa7b0, 1, -42258}, {0xa7b1, 0xa7b1, 1, -42282},
    {0xa7b2, 0xa7b2, 1, -42261}, {0xa7b3, 0xa7b3, 1, 928}, {0xa7b4, 0xa7c2, 2, 1}, {0xa7c4, 0xa7c4, 1, -48},
    {0xa7c5, 0xa7c5, 1, -42307}, {0xa7c6, 0xa7c6, 1, -35384}, {0xa7c7, 0xa7c9, 2, 1}, {0xa7d0, 0xa7d0, 1, 1},
    {0xa7d6, 0xa7d8, 2, 1}, {0xa7f5, 0xa7f5, 1, 1}, {0xff21, 0xff3a, 1, 32}, {0x10400, 0x10427, 1, 40},
    {0x104b0, 0x104d3, 1, 40}, {0x10570, 0x1057a, 1, 39}, {0x1057c, 0x1058a, 1, 39},
    {0x1058c, 0x10592, 1, 39}, {0x10594, 0x10595, 1, 39}, {0x10c80, 0x10cb2, 1, 64},
    {0x118a0, 0x118bf, 1, 32}, {0x16e40, 0x16e5f, 1, 32}, {0x1e900, 0x1e921, 1, 34},
};
// clang-format on

}  // namespace plainformer::unicode

/*{
  "DESCRIPTION": "The picture flies apart from a point",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "amount", "LABEL": "How far", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0.0, "MAX": 1.0},
    {"NAME": "center", "LABEL": "Middle", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0.0, 0.0], "MAX": [1.0, 1.0]}
  ]
}*/
const int SAMPLES = 16;
void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < SAMPLES; ++i) {
    float zoom = 1.0 - amount * float(i) / float(SAMPLES);
    sum += IMG_NORM_PIXEL(inputImage, (isf_FragNormCoord - center) * zoom + center);
  }
  gl_FragColor = sum / float(SAMPLES);
}

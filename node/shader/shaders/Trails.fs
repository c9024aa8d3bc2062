/*{
  "DESCRIPTION": "Bright things leave trails that fade",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Feedback"],
  "INPUTS": [
    {"NAME": "inputImage", "TYPE": "image"},
    {"NAME": "keep", "LABEL": "Length of the trails", "TYPE": "float", "DEFAULT": 0.9, "MIN": 0.0, "MAX": 0.99},
    {"NAME": "zoom", "LABEL": "Growth of the trails", "TYPE": "float", "DEFAULT": 0.01, "MIN": -0.1, "MAX": 0.1},
    {"NAME": "clear", "LABEL": "Clear the trails", "TYPE": "event"}
  ],
  "PASSES": [{"TARGET": "trail", "PERSISTENT": true, "FLOAT": true}]
}*/
void main() {
  vec2 from = (isf_FragNormCoord - 0.5) * (1.0 - zoom) + 0.5;
  vec4 before = IMG_NORM_PIXEL(trail, from) * (clear ? 0.0 : keep);
  gl_FragColor = max(IMG_THIS_PIXEL(inputImage), before);
}

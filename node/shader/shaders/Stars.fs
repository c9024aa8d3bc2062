/*{
  "DESCRIPTION": "A flight through stars",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Generator"],
  "INPUTS": [
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 0.3, "MIN": -2.0, "MAX": 2.0},
    {"NAME": "layers", "LABEL": "How many", "TYPE": "float", "DEFAULT": 6.0, "MIN": 1.0, "MAX": 12.0},
    {"NAME": "size", "LABEL": "Size", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0.01, "MAX": 0.3},
    {"NAME": "tint", "LABEL": "Colour", "TYPE": "color", "DEFAULT": [0.8, 0.9, 1.0, 1.0]}
  ]
}*/
vec2 random(vec2 cell) {
  return fract(sin(vec2(dot(cell, vec2(127.1, 311.7)), dot(cell, vec2(269.5, 183.3)))) * 43758.5453);
}
void main() {
  vec2 at = (isf_FragNormCoord - 0.5) * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0);
  float light = 0.0;
  for (int i = 0; i < 12; ++i) {
    if (float(i) >= floor(layers)) break;
    float near = fract(float(i) / floor(layers) + TIME * speed);
    vec2 place = at * mix(24.0, 2.0, near) + float(i) * 31.7;
    vec2 star = random(floor(place)) * 0.6 + 0.2;
    float far = length(fract(place) - star);
    light += (1.0 - smoothstep(0.0, size * (0.4 + near), far)) * near * (1.0 - smoothstep(0.9, 1.0, near));
  }
  gl_FragColor = vec4(tint.rgb * clamp(light, 0.0, 1.0), 1.0);
}

/*{
  "DESCRIPTION": "Coloured waves that run through each other",
  "CREDIT": "Submix",
  "ISFVSN": "2",
  "CATEGORIES": ["Generator"],
  "INPUTS": [
    {"NAME": "scale", "LABEL": "Size of the waves", "TYPE": "float", "DEFAULT": 4.0, "MIN": 0.5, "MAX": 16.0},
    {"NAME": "speed", "LABEL": "Speed", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0.0, "MAX": 4.0},
    {"NAME": "warm", "LABEL": "First colour", "TYPE": "color", "DEFAULT": [1.0, 0.35, 0.1, 1.0]},
    {"NAME": "cold", "LABEL": "Second colour", "TYPE": "color", "DEFAULT": [0.05, 0.2, 0.6, 1.0]}
  ]
}*/
void main() {
  vec2 at = (isf_FragNormCoord - 0.5) * vec2(RENDERSIZE.x / RENDERSIZE.y, 1.0) * scale;
  float t = TIME * speed;
  float wave = sin(at.x + t) + sin(at.y * 1.3 - t * 0.7) + sin((at.x + at.y) * 0.8 + t * 1.3);
  vec2 middle = at + vec2(sin(t * 0.5), cos(t * 0.4)) * 2.0;
  wave += sin(length(middle) * 2.0 - t);
  float share = 0.5 + 0.5 * sin(wave * 1.6);
  gl_FragColor = vec4(mix(cold.rgb, warm.rgb, share), 1.0);
}

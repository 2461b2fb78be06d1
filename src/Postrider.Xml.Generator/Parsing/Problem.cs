using Microsoft.CodeAnalysis;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>Something that is wrong.</summary>
/// <param name="Rule">What.</param>
/// <param name="At">Where.</param>
/// <param name="Arguments">What the message names.</param>
internal sealed record Problem(Rule Rule, ISymbol At, string[] Arguments);

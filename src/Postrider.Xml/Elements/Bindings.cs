using System.Runtime.CompilerServices;

namespace Postrider.Xml.Elements;

/// <summary>The namespaces in scope.</summary>
[InlineArray(Max)]
internal struct Bindings
{
    // gSOAP declares a dozen on each envelope; no real message has 48 in scope at once.
    public const int Max = 48;

    private NameAndValue _first;
}

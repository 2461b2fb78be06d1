using System.Runtime.CompilerServices;

namespace Postrider.Xml.Elements;

/// <summary>A prefix and its namespace, or an attribute and its value.</summary>
internal readonly record struct Pair(Slice Name, Slice Value);

/// <summary>The namespaces in scope.</summary>
[InlineArray(Most)]
internal struct Bindings
{
    // gSOAP declares a dozen on each envelope; 48 in scope at once is nobody's message.
    public const int Most = 48;

    private Pair _first;
}

/// <summary>The attributes of one element.</summary>
[InlineArray(Most)]
internal struct Attributes
{
    public const int Most = 16;

    private Pair _first;
}

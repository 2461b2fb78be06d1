namespace Postrider.CommandLine.Wsdl;

/// <summary>A type as C# has it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="IsValue">Whether it is a value type.</param>
internal sealed record TypeUse(string Name, bool IsValue)
{
    internal string Nullable => Name + "?";
}

/// <summary>A member of a data contract.</summary>
internal sealed record MemberText(string Element, string Name, string Type, bool IsRequired);

/// <summary>A value of an enumeration.</summary>
internal sealed record ValueText(string Text, string Name);

/// <summary>The kind of a declaration.</summary>
internal enum DeclarationKind
{
    Object,
    Collection,
    Enumeration,
    Flags,
}

/// <summary>A type that is written.</summary>
internal sealed class Declaration(DeclarationKind kind, string name, string wireName, string space)
{
    internal DeclarationKind Kind => kind;

    internal string Name => name;

    internal string WireName => wireName;

    internal string Namespace => space;

    internal Declaration? Parent { get; set; }

    internal List<MemberText> Members { get; } = [];

    internal List<ValueText> Values { get; } = [];

    internal List<Declaration> Derived { get; } = [];

    /// <summary>A collection's item: its element and type.</summary>
    internal (string Element, string Type) Item { get; set; }
}

/// <summary>A parameter, whose names in C# and on the wire may differ.</summary>
internal sealed record ParameterText(string Element, string Name, string Type);

/// <summary>An operation that is written.</summary>
internal sealed class OperationText(string name)
{
    internal string Name => name;

    internal string? Action { get; set; }

    internal string? ReplyAction { get; set; }

    internal bool IsOneWay { get; set; }

    internal bool IsBare { get; set; }

    internal bool TakesContext { get; set; }

    internal string? Documentation { get; set; }

    internal List<ParameterText> Inputs { get; } = [];

    internal List<ParameterText> Outputs { get; } = [];

    internal List<string> Faults { get; } = [];

    internal List<string> Remarks { get; } = [];
}

/// <summary>A contract that is written.</summary>
internal sealed class ServiceText(string portType, string name)
{
    internal string PortType => portType;

    internal string Name => name;

    internal string Namespace { get; set; } = "";

    internal List<OperationText> Operations { get; } = [];

    internal List<string> Addresses { get; } = [];
}

namespace Postrider.Xml.Generator.Model;

/// <summary>How a value that is read comes to its member.</summary>
internal enum Setting
{
    /// <summary>It is not: the member is only written, and passed over when it is read.</summary>
    Never,

    /// <summary>As an argument of the constructor.</summary>
    Argument,

    /// <summary>In the object's initializer.</summary>
    Initializer,

    /// <summary>By assigning.</summary>
    Assignment,

    /// <summary>By calling a setter, or writing a field, that only the runtime can reach.</summary>
    Accessor,
}

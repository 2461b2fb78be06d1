namespace Postrider.MessagePack.Generator.Model;

/// <summary>How a value that is read comes to its member.</summary>
internal enum Setting
{
    /// <summary>It is not: the member is only written, and passed over when it is read.</summary>
    Never,

    /// <summary>As an argument of the constructor.</summary>
    Argument,

    /// <summary>In the object's initializer: it is required, or init-only where an accessor cannot be declared.</summary>
    Initializer,

    /// <summary>By assigning.</summary>
    Assignment,

    /// <summary>By calling a setter that only the runtime can reach.</summary>
    Accessor,
}

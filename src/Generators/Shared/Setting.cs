namespace Postrider.Generators;

/// <summary>How a value that was read is assigned to its member.</summary>
internal enum Setting
{
    /// <summary>It is not: the member is only written, and skipped when it is read.</summary>
    Never,

    /// <summary>As an argument of the constructor.</summary>
    Argument,

    /// <summary>In the object's initializer: it is required, or init-only if an accessor cannot be declared.</summary>
    Initializer,

    /// <summary>By an assignment.</summary>
    Assignment,

    /// <summary>By calling a setter, or writing a field, that only the runtime can reach.</summary>
    Accessor,
}

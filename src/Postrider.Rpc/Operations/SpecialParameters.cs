namespace Postrider.Rpc;

/// <summary>Parameters of a method that are not part of its message.</summary>
[Flags]
public enum SpecialParameters
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>A <see cref="CallContext"/>.</summary>
    Context = 1,

    /// <summary>A <see cref="CancellationToken"/>.</summary>
    Token = 2,
}

namespace Postrider.Rpc;

/// <summary>What a method takes besides its message.</summary>
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

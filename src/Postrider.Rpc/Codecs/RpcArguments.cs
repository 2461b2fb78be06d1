namespace Postrider.Rpc;

/// <summary>Several parameters as one message: the first, and the rest, whose end is <see cref="Unit"/>.</summary>
/// <typeparam name="TFirst">The first parameter.</typeparam>
/// <typeparam name="TRest">The parameters after it.</typeparam>
/// <param name="first">The first parameter.</param>
/// <param name="rest">The parameters after it.</param>
public struct RpcArguments<TFirst, TRest>(TFirst first, TRest rest)
{
    /// <summary>The first parameter.</summary>
    public TFirst First = first;

    /// <summary>The parameters after it.</summary>
    public TRest Rest = rest;
}

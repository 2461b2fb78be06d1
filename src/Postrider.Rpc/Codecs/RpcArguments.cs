namespace Postrider.Rpc;

/// <summary>The arguments of a call with several parameters: the first one and the rest, which ends with <see cref="Unit"/>.</summary>
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

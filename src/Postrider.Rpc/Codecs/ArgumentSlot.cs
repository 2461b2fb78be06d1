namespace Postrider.Rpc.Codecs;

/// <summary>Tracks whether a named parameter has occurred: each may occur at most once, in any order.</summary>
/// <param name="name">The parameter's name.</param>
/// <param name="behind">The number of parameters after it.</param>
internal sealed class ArgumentSlot(string name, int behind)
{
    // One bit each; the parameters beyond share the last one, so duplicates among so many parameters are not detected.
    private readonly ulong _bit = 1UL << Math.Min(behind, 63);

    /// <summary>Marks the parameter as seen.</summary>
    /// <param name="seen">A bit for each parameter that was there.</param>
    /// <exception cref="RpcException">It was there before.</exception>
    public void MarkSeen(ref ulong seen)
    {
        if ((seen & _bit) != 0 && behind < 63)
            throw new RpcException(RpcStatus.InvalidData, $"Parameter '{name}' occurs twice.");
        seen |= _bit;
    }
}

namespace Postrider.Rpc;

/// <summary>How calls share connections.</summary>
public enum DispatchPattern
{
    /// <summary>Any number of calls at once on one connection; answers find their calls by number.</summary>
    Correlated,

    /// <summary>One call at a time on a connection, which comes from a pool; further calls wait for one.</summary>
    Blocking,
}

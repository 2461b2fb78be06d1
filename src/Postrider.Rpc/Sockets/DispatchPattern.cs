namespace Postrider.Rpc;

/// <summary>How calls share connections.</summary>
public enum DispatchPattern
{
    /// <summary>Any number of concurrent calls on one connection; responses are correlated by call number.</summary>
    Correlated,

    /// <summary>One call at a time per connection. Connections come from a pool; further calls wait for a free one.</summary>
    Blocking,
}

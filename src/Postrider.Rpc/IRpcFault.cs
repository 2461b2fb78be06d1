namespace Postrider.Rpc;

/// <summary>An exception that a contract can declare as a fault.</summary>
public interface IRpcFault
{
    /// <summary>The fault's name on the wire.</summary>
    string Fault { get; }
}

/// <summary>An exception with a detail that a contract can declare as a fault.</summary>
/// <typeparam name="T">The detail.</typeparam>
public interface IRpcFault<out T> : IRpcFault
{
    /// <summary>The detail sent to the caller.</summary>
    T Detail { get; }
}

namespace Postrider.Rpc;

/// <summary>The side of a call at which it is tracked.</summary>
public enum CallSide
{
    /// <summary>The client.</summary>
    Caller,

    /// <summary>The server.</summary>
    Server,
}

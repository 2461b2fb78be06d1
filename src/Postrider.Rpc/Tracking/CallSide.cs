namespace Postrider.Rpc;

/// <summary>The end of a call at which it is tracked.</summary>
public enum CallSide
{
    /// <summary>Where it is made.</summary>
    Caller,

    /// <summary>Where it is answered.</summary>
    Server,
}

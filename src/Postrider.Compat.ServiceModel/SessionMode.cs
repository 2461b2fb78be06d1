namespace System.ServiceModel;

/// <summary>Whether the calls of a client form a session. Postrider has no sessions.</summary>
public enum SessionMode
{
    /// <summary>Sessions are allowed.</summary>
    Allowed,

    /// <summary>Sessions are required; a compile-time error (PRR009).</summary>
    Required,

    /// <summary>Sessions are not allowed.</summary>
    NotAllowed,
}

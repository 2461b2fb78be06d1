namespace Postrider.Dispatch;

/// <summary>What a call requires from its scope.</summary>
internal enum ScopeUse
{
    /// <summary>Services; no handler or middleware lives as long as the scope.</summary>
    Services,

    /// <summary>A scoped handler, once.</summary>
    One,

    /// <summary>Scoped handlers or middleware, or one of them repeatedly.</summary>
    Several,
}

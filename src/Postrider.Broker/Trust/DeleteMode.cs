namespace Postrider.Broker.Trust;

/// <summary>How the file of a deleted account is handled.</summary>
internal enum DeleteMode
{
    /// <summary>Accounts cannot be deleted.</summary>
    Refuse,

    /// <summary>The file is renamed to <c>.deleted</c>.</summary>
    Rename,

    /// <summary>The file is removed.</summary>
    Remove,
}

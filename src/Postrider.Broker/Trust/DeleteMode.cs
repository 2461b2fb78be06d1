namespace Postrider.Broker.Trust;

/// <summary>What becomes of the file of an account that is deleted.</summary>
internal enum DeleteMode
{
    /// <summary>Accounts are not deleted.</summary>
    Refuse,

    /// <summary>It gets the ending <c>.deleted</c>.</summary>
    Rename,

    /// <summary>It is removed.</summary>
    Remove,
}

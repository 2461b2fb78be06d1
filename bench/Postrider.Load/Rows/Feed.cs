namespace Postrider.Load.Rows;

/// <summary>Which publishers a subscriber hears.</summary>
internal enum Feed
{
    /// <summary>Nobody listens: the row measures publishing alone.</summary>
    None,

    /// <summary>Subscriber i hears publisher i.</summary>
    Own,

    /// <summary>Every subscriber hears every publisher.</summary>
    All,

    /// <summary>The subscribers are one queue group: each message reaches one of them.</summary>
    Shared,
}

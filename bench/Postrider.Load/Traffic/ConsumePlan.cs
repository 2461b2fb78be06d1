namespace Postrider.Load.Traffic;

/// <summary>How a client consumes.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Consumer">The consumer.</param>
/// <param name="Total">How many messages there are for it.</param>
internal sealed record ConsumePlan(string Stream, string Consumer, long Total)
{
    /// <summary>Where its messages arrive.</summary>
    public const string Inbox = "_INBOX.loadgeneratorconsumes0";

    /// <summary>How many messages it may be owed by its pulls; 0 when it is pushed to.</summary>
    public int Batch { get; init; }

    /// <summary>It asks again as soon as it has so many.</summary>
    public int AskAfter { get; init; }

    /// <summary>Whether it acknowledges each message.</summary>
    public bool Acknowledges { get; init; }

    /// <summary>Whether it gets every message of the stream, and not the newest of each subject.</summary>
    public bool GetsAll { get; init; } = true;
}

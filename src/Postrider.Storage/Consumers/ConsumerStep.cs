using Postrider.Storage.Files;

namespace Postrider.Storage.Consumers;

/// <summary>The kinds of steps of a <see cref="ConsumerJournal"/>. The numbers are stored on the disk.</summary>
internal enum ConsumerStep : byte
{
    /// <summary>Stream sequence, consumer sequence, count, timestamp.</summary>
    Delivered = 1,

    /// <summary>Stream sequence.</summary>
    Acknowledged = 3,

    /// <summary>Stream sequence, consumer sequence.</summary>
    AcknowledgedUpTo = 4,

    /// <summary>Delivered stream and consumer sequence, acknowledged stream and consumer sequence.</summary>
    Position = 5,

    /// <summary>Stream sequence, consumer sequence, unused, timestamp.</summary>
    Open = 6,

    /// <summary>Stream sequence, redeliveries.</summary>
    Again = 7,

    /// <summary>Stream sequence, timestamp.</summary>
    Touched = 8,

    /// <summary>Stream sequence, deliveries.</summary>
    Exhausted = 9,

    /// <summary>The floor that is shown: stream and consumer sequence.</summary>
    Held = 10,

    /// <summary>The consumer that the log belongs to: see <see cref="ConsumerJournal.Open(IStoreFolder, string, ulong, out ConsumerDamage?, bool)"/>.</summary>
    Owner = 11,

    /// <summary>Only in the copy: the length of the log.</summary>
    Length = 12,
}

using System.Runtime.CompilerServices;

namespace Postrider.Transports;

/// <summary>Chooses dead letters; without a value, all.</summary>
public sealed record DeadLetterQuery
{
    private readonly int _max = int.MaxValue;

    /// <summary>All of them.</summary>
    public static DeadLetterQuery All { get; } = new();

    /// <summary>The one with this <see cref="DeadLetterMessage.Id"/>; null for any.</summary>
    public string? Id { get; init; }

    /// <summary>Those given up for this reason; null for any.</summary>
    public DeadLetterReason? Reason { get; init; }

    /// <summary>Those that arrived at this destination; null for any.</summary>
    public string? Origin { get; init; }

    /// <summary>Only those after the one with this id: the last one of the previous page. Null to start with the oldest.</summary>
    public string? After { get; init; }

    /// <summary>The largest number; at least 1. Without a limit by default.</summary>
    public int Max
    {
        get => _max;
        init => _max = value >= 1 ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "Max must be at least 1.");
    }

    /// <summary>The pause between two redelivered messages; zero for none.</summary>
    public TimeSpan Pace { get; init; }

    /// <summary>Whether a dead letter matches, apart from its position.</summary>
    /// <param name="letter">The dead letter.</param>
    /// <returns>True if id, reason and origin match.</returns>
    public bool Matches(DeadLetterMessage letter)
    {
        ArgumentNullException.ThrowIfNull(letter);
        return (Id is null || string.Equals(letter.Id, Id, StringComparison.Ordinal))
            && (Reason is null || letter.Reason == Reason)
            && (Origin is null || string.Equals(letter.Origin, Origin, StringComparison.Ordinal));
    }

    /// <summary>Chooses from all dead letters of a source.</summary>
    /// <param name="letters">All of them, in their order.</param>
    /// <param name="ct">Ends the list.</param>
    /// <returns>Those that are chosen. The list is not read further than the last one.</returns>
    public async IAsyncEnumerable<DeadLetterMessage> SelectAsync(IAsyncEnumerable<DeadLetterMessage> letters, [EnumeratorCancellation] CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(letters);
        var (begun, count) = (After is null, 0);
        await foreach (var letter in letters.WithCancellation(ct).ConfigureAwait(false))
        {
            if (begun && Matches(letter))
            {
                yield return letter;
                if (++count == Max || Id is not null)
                    yield break;
            }

            begun |= string.Equals(letter.Id, After, StringComparison.Ordinal);
        }
    }
}

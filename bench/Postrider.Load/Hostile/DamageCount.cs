namespace Postrider.Load.Hostile;

/// <summary>What went wrong with the victim's messages.</summary>
internal sealed class DamageCount
{
    private long _expected = 1;

    public long Lost { get; private set; }

    public long Doubled { get; private set; }

    public long Corrupt { get; private set; }

    /// <summary>Requests that the server had no time for, and said so or did not.</summary>
    public long Unanswered { get; private set; }

    public long Total => Lost + Doubled + Corrupt;

    /// <summary>Number of the last message that was in its place.</summary>
    public long Last => _expected - 1;

    /// <summary>Checks one received payload.</summary>
    /// <returns>The time it was stamped with, or null when it is not the victim's own or not the next one.</returns>
    public long? Check(ReadOnlySpan<byte> payload)
    {
        if (!VictimPayload.TryRead(payload, out var number, out var stamp))
        {
            Corrupt++;
            return null;
        }

        if (number < _expected)
        {
            Doubled++;
            return null;
        }

        Lost += number - _expected;
        _expected = number + 1;
        return stamp;
    }

    /// <summary>Counts what was sent and has never come.</summary>
    public void Finish(long sent) => Lost += Math.Max(0, sent - Last);

    public void Lose(long count) => Lost += count;

    public void Corrupted() => Corrupt++;

    public void NotAnswered() => Unanswered++;

    public override string ToString() => $"{Lost} lost, {Doubled} doubled, {Corrupt} corrupt{(Unanswered > 0 ? $", {Unanswered} not answered" : "")}";
}

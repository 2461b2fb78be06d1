namespace Postrider.Load.Rows;

/// <summary>A row about a stream.</summary>
/// <param name="Name">Stable name: in JSON lines and for <c>--row</c>.</param>
/// <param name="Title">What the table prints.</param>
/// <param name="Work">What is measured.</param>
/// <param name="PayloadBytes">Bytes of payload per message.</param>
/// <param name="Storage"><c>memory</c> or <c>file</c>.</param>
/// <param name="Targets">Against Go's server.</param>
internal sealed record JetStreamRow(string Name, string Title, StreamWork Work, int PayloadBytes, string Storage, Targets? Targets)
{
    /// <summary>Acknowledgements that a publisher waits for at once.</summary>
    public int InFlight { get; init; } = 4096;
}

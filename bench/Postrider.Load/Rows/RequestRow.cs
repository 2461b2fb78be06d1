namespace Postrider.Load.Rows;

/// <summary>A row of requests: each client has one request under way, with a new reply subject each time.</summary>
/// <param name="Name">Stable name: in JSON lines and for <c>--row</c>.</param>
/// <param name="Title">What the table prints.</param>
/// <param name="PayloadBytes">Bytes of payload in the request and in the reply.</param>
/// <param name="Clients">Connections that ask.</param>
/// <param name="Services">Connections that answer, in one queue group when there are several.</param>
/// <param name="Targets">Against Go's server.</param>
internal sealed record RequestRow(string Name, string Title, int PayloadBytes, int Clients, int Services, Targets? Targets)
{
    public const string Subject = "service.echo";

    public string? QueueGroup => Services > 1 ? "services" : null;
}

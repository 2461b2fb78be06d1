using System.Text;
using System.Text.Unicode;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>A dead letter as JSON: the body as text if it is text, otherwise in base64.</summary>
internal sealed record DeadLetterEntry
{
    public required string Id { get; init; }

    public required string Source { get; init; }

    public DateTimeOffset? Time { get; init; }

    public string? Reason { get; init; }

    public string? Origin { get; init; }

    public long? Deliveries { get; init; }

    public string? Error { get; init; }

    public required Dictionary<string, string[]> Headers { get; init; }

    public int Size { get; init; }

    public string? Data { get; init; }

    public byte[]? DataBase64 { get; init; }

    internal static DeadLetterEntry Of(DeadLetterMessage letter, bool withBody)
    {
        var isText = Utf8.IsValid(letter.Body.Span);
        return new()
        {
            Id = letter.Id,
            Source = letter.Source,
            Time = letter.StoredAt,
            Reason = letter.Reason?.ToString(),
            Origin = letter.Origin,
            Deliveries = letter.Deliveries,
            Error = letter.Error,
            Headers = letter.Headers.GroupBy(static header => header.Key, StringComparer.OrdinalIgnoreCase).ToDictionary(static values => values.Key, static values => values.Select(static header => header.Value).ToArray(), StringComparer.Ordinal),
            Size = letter.Body.Length,
            Data = withBody && isText ? Encoding.UTF8.GetString(letter.Body.Span) : null,
            DataBase64 = withBody && !isText ? letter.Body.ToArray() : null,
        };
    }
}

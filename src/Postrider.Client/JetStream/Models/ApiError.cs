using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>An error as JetStream's API writes it.</summary>
/// <param name="Code">As of HTTP.</param>
/// <param name="ErrorCode">The error's own number, 10000 and above; 0 from servers that give none.</param>
/// <param name="Description">The server's text.</param>
public sealed record ApiError(
    [property: JsonPropertyName("code")] int Code,
    [property: JsonPropertyName("err_code")] int ErrorCode,
    [property: JsonPropertyName("description")] string? Description);

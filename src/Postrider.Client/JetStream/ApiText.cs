using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream;

/// <summary>Configurations and information of streams and consumers as the JSON of the API, for files, scripts and logs.</summary>
/// <remarks>Durations are in nanoseconds. Does not use reflection.</remarks>
public static class ApiText
{
    // Meant to be read by people too: subjects are full of characters that would be escaped for HTML.
    private static readonly JetStreamJson Plain = new(new JsonSerializerOptions(JetStreamJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    /// <summary>Writes a stream's configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(StreamConfig config) => JsonSerializer.Serialize(config, Plain.StreamConfig);

    /// <summary>Writes the information about a stream.</summary>
    /// <param name="info">The information.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(StreamInfo info) => JsonSerializer.Serialize(info, Plain.StreamInfo);

    /// <summary>Writes a consumer's configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(ConsumerConfig config) => JsonSerializer.Serialize(config, Plain.ConsumerConfig);

    /// <summary>Writes the information about a consumer.</summary>
    /// <param name="info">The information.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(ConsumerInfo info) => JsonSerializer.Serialize(info, Plain.ConsumerInfo);

    /// <summary>Writes the usage of an account.</summary>
    /// <param name="info">The usage.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(AccountInfo info) => JsonSerializer.Serialize(info, Plain.AccountInfo);

    /// <summary>Writes the description of a backup.</summary>
    /// <param name="backup">The description.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(StreamBackup backup)
    {
        ArgumentNullException.ThrowIfNull(backup);
        return JsonSerializer.Serialize(new RestoreRequest { Config = backup.Config, State = backup.State }, Plain.RestoreRequest);
    }

    /// <summary>Reads a stream's configuration.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The configuration.</returns>
    /// <exception cref="NatsClientException">The text is not valid JSON of that kind: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public static StreamConfig ReadStreamConfig(string json) => Read(json, JetStreamJson.Default.StreamConfig);

    /// <summary>Reads a consumer's configuration.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The configuration.</returns>
    /// <exception cref="NatsClientException">The text is not valid JSON of that kind: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public static ConsumerConfig ReadConsumerConfig(string json) => Read(json, JetStreamJson.Default.ConsumerConfig);

    /// <summary>Reads the description of a backup.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The description.</returns>
    /// <exception cref="NatsClientException">The text is not valid JSON of that kind: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public static StreamBackup ReadStreamBackup(string json)
    {
        var request = Read(json, JetStreamJson.Default.RestoreRequest);
        return new StreamBackup(request.Config, request.State);
    }

    private static T Read<T>(string json, JsonTypeInfo<T> type)
    {
        try
        {
            return JsonSerializer.Deserialize(json, type) ?? throw new JsonException("It is null.");
        }
        catch (JsonException error)
        {
            throw new NatsClientException(NatsErrorCode.PayloadUnreadable, $"The text is not a valid {typeof(T).Name}: {Reason(error)}", error);
        }
    }

    // The parser's own text names types of this library.
    private static string Reason(JsonException error)
        => error.Message.Contains("could not be converted", StringComparison.Ordinal) ? $"The value at {error.Path} has the wrong type." : error.Message;
}

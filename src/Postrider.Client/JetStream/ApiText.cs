using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream;

/// <summary>Configurations and what is known of streams and consumers, as the API's own JSON: for files, scripts and logs.</summary>
/// <remarks>Durations are nanoseconds there. Needs no reflection.</remarks>
public static class ApiText
{
    // For people's eyes too: subjects are full of characters that HTML would want escaped.
    private static readonly JetStreamJson Plain = new(new JsonSerializerOptions(JetStreamJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    /// <summary>Writes a stream's configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(StreamConfig config) => JsonSerializer.Serialize(config, Plain.StreamConfig);

    /// <summary>Writes what is known of a stream.</summary>
    /// <param name="info">What is known.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(StreamInfo info) => JsonSerializer.Serialize(info, Plain.StreamInfo);

    /// <summary>Writes a consumer's configuration.</summary>
    /// <param name="config">The configuration.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(ConsumerConfig config) => JsonSerializer.Serialize(config, Plain.ConsumerConfig);

    /// <summary>Writes what is known of a consumer.</summary>
    /// <param name="info">What is known.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(ConsumerInfo info) => JsonSerializer.Serialize(info, Plain.ConsumerInfo);

    /// <summary>Writes what an account uses.</summary>
    /// <param name="info">What it uses.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(AccountInfo info) => JsonSerializer.Serialize(info, Plain.AccountInfo);

    /// <summary>Writes what a backup holds beside its archive.</summary>
    /// <param name="backup">What it holds.</param>
    /// <returns>One line of JSON.</returns>
    public static string Write(StreamBackup backup)
    {
        ArgumentNullException.ThrowIfNull(backup);
        return JsonSerializer.Serialize(new RestoreRequest { Config = backup.Config, State = backup.State }, Plain.RestoreRequest);
    }

    /// <summary>Reads a stream's configuration.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The configuration.</returns>
    /// <exception cref="NatsClientException">It is no such JSON: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public static StreamConfig ReadStreamConfig(string json) => Read(json, JetStreamJson.Default.StreamConfig);

    /// <summary>Reads a consumer's configuration.</summary>
    /// <param name="json">The text.</param>
    /// <returns>The configuration.</returns>
    /// <exception cref="NatsClientException">It is no such JSON: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public static ConsumerConfig ReadConsumerConfig(string json) => Read(json, JetStreamJson.Default.ConsumerConfig);

    /// <summary>Reads what a backup holds beside its archive.</summary>
    /// <param name="json">The text.</param>
    /// <returns>What it holds.</returns>
    /// <exception cref="NatsClientException">It is no such JSON: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
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
            throw new NatsClientException(NatsErrorCode.PayloadUnreadable, $"The text is not a valid {typeof(T).Name}: {error.Message}", error);
        }
    }
}

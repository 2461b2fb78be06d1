using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.Win32.SafeHandles;
using Postrider.Client;

namespace Postrider.CommandLine.Terminal;

/// <summary>Messages as text: input from the command line, and the output of received messages.</summary>
internal static class MessageText
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private static readonly JsonWriterOptions OneLine = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The option for headers.</summary>
    internal static Option<string[]> HeaderOption()
    {
        var option = new Option<string[]>("--header", "-H") { Description = "A header as Name:value; may be repeated", DefaultValueFactory = _ => [] };
        option.Validators.Add(CheckHeaders);
        return option;
    }

    /// <summary>The headers of such an option; null without any.</summary>
    internal static NatsHeaders? Headers(string[]? texts)
    {
        if (texts is null or [])
            return null;
        var headers = new NatsHeaders();
        foreach (var text in texts)
        {
            var colon = text.IndexOf(':', StringComparison.Ordinal);
            headers.Add(text[..colon].Trim(), text[(colon + 1)..].Trim());
        }
        return headers;
    }

    /// <summary>The payload: the argument's text, or all of standard input if there is no argument, as the <c>nats</c> tool reads it.</summary>
    internal static async Task<byte[]> PayloadAsync(string? argument, CancellationToken ct)
    {
        if (argument is not null)
            return Encoding.UTF8.GetBytes(argument);
        if (!Console.IsInputRedirected)
            await Console.Error.WriteLineAsync($"Reading the payload from the terminal until {(OperatingSystem.IsWindows() ? "Ctrl+Z" : "Ctrl+D")}; '' is an empty one.");
        using var content = new MemoryStream();
        await using var input = Console.IsInputRedirected || OperatingSystem.IsWindows() ? Console.OpenStandardInput() : Terminal();
        // A read of a terminal cannot be cancelled.
        await input.CopyToAsync(content, ct).WaitAsync(ct);
        return content.ToArray();

        // The console's own stream reads keys, and misses a Ctrl+D that was typed before it began.
        static FileStream Terminal() => new(new SafeFileHandle(0, ownsHandle: false), FileAccess.Read, bufferSize: 0);
    }

    /// <summary>One received message for people: a line about it, its headers, its payload.</summary>
    internal static string Readable(in NatsMessage<byte[]> message)
    {
        var text = new StringBuilder($"{message.Subject}{(message.ReplyTo is null ? "" : $" (reply to {message.ReplyTo})")}: {Quantity.Of(message.Data.Length, "byte")}\n");
        foreach (var (name, value) in message.Headers ?? [])
            text.Append($"{name}: {value}\n");
        return text.Append(Decode(message.Data) ?? Convert.ToHexStringLower(message.Data)).ToString();
    }

    /// <summary>One received message for scripts: a line of JSON, with <c>data</c> for text and <c>data_base64</c> for other bytes.</summary>
    internal static string Json(in NatsMessage<byte[]> message)
    {
        var buffer = new System.Buffers.ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, OneLine))
        {
            writer.WriteStartObject();
            writer.WriteString("subject", message.Subject);
            if (message.ReplyTo is not null)
                writer.WriteString("reply", message.ReplyTo);
            if (message.Headers is { Count: > 0 } headers)
                WriteHeaders(writer, headers);
            if (Decode(message.Data) is { } text)
                writer.WriteString("data", text);
            else
                writer.WriteBase64String("data_base64", message.Data);
            writer.WriteEndObject();
        }
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <summary>Writes headers as <c>headers</c>: an array of values for each name.</summary>
    internal static void WriteHeaders(Utf8JsonWriter writer, NatsHeaders headers)
    {
        writer.WriteStartObject("headers");
        foreach (var values in headers.GroupBy(header => header.Key, header => header.Value, StringComparer.Ordinal))
        {
            writer.WriteStartArray(values.Key);
            foreach (var value in values)
                writer.WriteStringValue(value);
            writer.WriteEndArray();
        }
        writer.WriteEndObject();
    }

    private static void CheckHeaders(OptionResult option)
    {
        foreach (var token in option.Tokens)
            if (token.Value.IndexOf(':', StringComparison.Ordinal) <= 0)
                option.AddError($"'{token.Value}' is not a header such as Name:value.");
    }

    private static string? Decode(byte[] data)
    {
        try
        {
            return Utf8.GetString(data);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}

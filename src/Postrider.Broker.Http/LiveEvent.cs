using System.Buffers;
using System.Text.Json;

namespace Postrider.Broker.Http;

/// <summary>An event with the pages that have changed: <c>{"pages":[{"page":"varz","status":200,"content":{…}}]}</c>.</summary>
internal static class LiveEvent
{
    // Browsers ignore a comment. It keeps proxies from ending a silent stream.
    private static readonly byte[] s_nothing = ":\n\n"u8.ToArray();

    /// <summary>Reads pages and writes the event.</summary>
    /// <param name="pages">The pages of a listener.</param>
    /// <param name="reader">Reads them.</param>
    /// <returns>The lines of the event; a comment if no page has changed.</returns>
    internal static ReadOnlyMemory<byte> Write(LivePage[] pages, PageReader reader)
    {
        var changed = Array.FindAll(pages, page => page.HasChanged(reader));
        if (changed.Length == 0) return s_nothing;
        var buffer = new ArrayBufferWriter<byte>();
        buffer.Write("data: "u8);
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteStartArray("pages"u8);
            foreach (var page in changed) Write(json, page.Name, page.News!.Value);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        buffer.Write("\n\n"u8);
        return buffer.WrittenMemory;
    }

    private static void Write(Utf8JsonWriter json, string name, PageContent content)
    {
        json.WriteStartObject();
        json.WriteString("page"u8, name);
        json.WriteNumber("status"u8, content.Status);
        json.WritePropertyName("content"u8);
        if (content.IsJson) json.WriteRawValue(content.Bytes, skipInputValidation: true);
        else json.WriteStringValue(content.Bytes);
        json.WriteEndObject();
    }
}

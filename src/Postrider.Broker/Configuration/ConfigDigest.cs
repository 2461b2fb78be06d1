using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Postrider.Broker.Configuration;

/// <summary>The digest of a configuration's content, regardless of layout and comments, as nats-server shows it.</summary>
/// <remarks>SHA-256 over the values as JSON with sorted keys and a line end.</remarks>
internal static class ConfigDigest
{
    /// <summary><c>sha256:</c> and 64 hex digits.</summary>
    internal static string Compute(ConfigMap map)
    {
        var json = new StringBuilder();
        Append(json, map);
        json.Append('\n');
        return $"sha256:{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(json.ToString())))}";
    }

    private static void Append(StringBuilder json, object content)
    {
        switch (content)
        {
            case string text:
                AppendText(json, text);
                break;
            case bool boolean:
                json.Append(boolean ? "true" : "false");
                break;
            case long number:
                json.Append(CultureInfo.InvariantCulture, $"{number}");
                break;
            case double number:
                json.Append(number.ToString("R", CultureInfo.InvariantCulture));
                break;
            case DateTimeOffset date:
                json.Append(CultureInfo.InvariantCulture, $"\"{date.UtcDateTime:yyyy-MM-ddTHH:mm:ssZ}\"");
                break;
            case ConfigMap map:
                AppendMap(json, map);
                break;
            default:
                AppendArray(json, (List<ConfigValue>)content);
                break;
        }
    }

    private static void AppendMap(StringBuilder json, ConfigMap map)
    {
        json.Append('{');
        var first = true;
        foreach (var (key, value) in map.OrderBy(entry => entry.Key, StringComparer.Ordinal))
        {
            json.Append(first ? "" : ",");
            first = false;
            AppendText(json, key);
            json.Append(':');
            Append(json, value.Content);
        }
        json.Append('}');
    }

    private static void AppendArray(StringBuilder json, List<ConfigValue> array)
    {
        json.Append('[');
        for (var i = 0; i < array.Count; i++)
        {
            json.Append(i == 0 ? "" : ",");
            Append(json, array[i].Content);
        }
        json.Append(']');
    }

    private static void AppendText(StringBuilder json, string text)
    {
        json.Append('"');
        foreach (var character in text)
        {
            _ = character switch
            {
                '"' or '\\' => json.Append('\\').Append(character),
                '\n' => json.Append(@"\n"),
                '\r' => json.Append(@"\r"),
                '\t' => json.Append(@"\t"),
                '\b' => json.Append(@"\b"),
                '\f' => json.Append(@"\f"),
                < ' ' or '<' or '>' or '&' or '\u2028' or '\u2029' => json.Append(CultureInfo.InvariantCulture, $@"\u{(int)character:x4}"),
                _ => json.Append(character),
            };
        }
        json.Append('"');
    }
}

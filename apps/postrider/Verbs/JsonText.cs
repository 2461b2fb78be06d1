using System.Text.Encodings.Web;

namespace Postrider.CommandLine.Verbs;

/// <summary>Text as JSON writes it.</summary>
internal static class JsonText
{
    internal static string Quote(string text) => $"\"{JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(text)}\"";
}

using System.Text.Json;

namespace Postrider.InteropTests.Harness;

/// <summary>The names and kinds of values of a JSON document, a line for each.</summary>
internal static class JsonShape
{
    /// <summary>Describes a document.</summary>
    /// <param name="element">The document.</param>
    public static List<string> Of(JsonElement element)
    {
        var shape = new List<string>();
        Describe(element, "", shape);
        return shape;
    }

    /// <summary>The JSON of a value.</summary>
    /// <param name="element">The document.</param>
    /// <param name="path">The names that lead to it, with dots between them; in an array they are those of its first item.</param>
    public static string ValueOf(JsonElement element, string path)
    {
        foreach (var part in path.Split('.'))
            element = element.ValueKind == JsonValueKind.Array ? element[0].GetProperty(part) : element.GetProperty(part);
        return element.ValueKind is JsonValueKind.Object or JsonValueKind.Array ? JsonSerializer.Serialize(element) : element.GetRawText();
    }

    private static void Describe(JsonElement element, string path, List<string> shape)
    {
        switch (element.ValueKind)
        {
            // Pages asked for so far are data, not names.
            case JsonValueKind.Object when path.EndsWith("/http_req_stats", StringComparison.Ordinal):
                shape.Add($"{path} Object");
                break;
            // Which of the reference's trials are on is each server's own.
            case JsonValueKind.True or JsonValueKind.False when path.Contains("/feature_flags/", StringComparison.Ordinal):
                shape.Add($"{path} Boolean");
                break;
            case JsonValueKind.Object:
                shape.Add($"{path} Object");
                foreach (var field in element.EnumerateObject())
                    Describe(field.Value, $"{path}/{field.Name}", shape);
                break;
            case JsonValueKind.Array:
                shape.Add($"{path} Array of {element.GetArrayLength()}");
                foreach (var item in element.EnumerateArray())
                    Describe(item, path, shape);
                break;
            default:
                shape.Add($"{path} {element.ValueKind}");
                break;
        }
    }
}

namespace Postrider.Credentials.Claims;

/// <summary>The names of the kinds of exports, in tokens.</summary>
internal static class ExportKinds
{
    public static string NameOf(ExportKind kind) => kind == ExportKind.Stream ? "stream" : "service";

    public static ExportKind Read(ClaimsReader reader, string name) => reader.Text(name) switch
    {
        "stream" => ExportKind.Stream,
        "service" => ExportKind.Service,
        _ => throw reader.Wrong(name, "'stream' or 'service'"),
    };
}

using System.Xml;
using System.Xml.Linq;

namespace Postrider.CommandLine.Wsdl;

/// <summary>A description with everything that it imports: definitions and schemas, each element with its file and line.</summary>
internal sealed class WsdlDocuments
{
    private const int MaxDocuments = 200;
    private const int MaxCharacters = 32 * 1024 * 1024;

    private readonly HashSet<string> _read = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];
    private readonly Func<Uri, CancellationToken, Task<Stream>> _open;

    private WsdlDocuments(Func<Uri, CancellationToken, Task<Stream>> open) => _open = open;

    internal List<XElement> Definitions { get; } = [];

    internal List<XElement> Schemas { get; } = [];

    /// <summary>Reads a description.</summary>
    /// <param name="address">The document's address.</param>
    /// <param name="open">Opens a document; it may throw <see cref="IOException"/> or <see cref="HttpRequestException"/>.</param>
    /// <param name="ct">Ends the reading.</param>
    /// <exception cref="WsdlException">A document cannot be read.</exception>
    internal static async Task<WsdlDocuments> ReadAsync(Uri address, Func<Uri, CancellationToken, Task<Stream>> open, CancellationToken ct)
    {
        var documents = new WsdlDocuments(open);
        await documents.AddAsync(address, null, ct);
        return documents._problems.Count == 0 ? documents : throw new WsdlException(documents._problems);
    }

    /// <summary>The location of an element: its file and line.</summary>
    internal static string Place(XObject at)
    {
        var file = at.Document?.BaseUri is { Length: > 0 } address ? address[(address.LastIndexOf('/') + 1)..] : "the description";
        return $"{file}({((IXmlLineInfo)at).LineNumber})";
    }

    private async Task AddAsync(Uri address, XElement? import, CancellationToken ct)
    {
        if (!_read.Add(address.AbsoluteUri))
            return;
        if (_read.Count > MaxDocuments)
            throw new WsdlException($"There are more than {MaxDocuments} documents.");
        var root = (await LoadAsync(address, import, ct)).Root!;
        if (root.Name == WsdlNames.Wsdl + "definitions")
        {
            Definitions.Add(root);
            foreach (var other in root.Elements(WsdlNames.Wsdl + "import").Where(i => i.Attribute("location") is not null))
                await ImportAsync(address, other, "location", ct);
            foreach (var schema in root.Elements(WsdlNames.Wsdl + "types").Elements(WsdlNames.Xs + "schema"))
                await AddSchemaAsync(schema, address, ct);
        }
        else if (root.Name == WsdlNames.Xs + "schema")
        {
            await AddSchemaAsync(root, address, ct);
        }
        else
        {
            throw new WsdlException($"{Place(root)}: the root is '{root.Name.LocalName}' of the namespace '{root.Name.NamespaceName}', neither WSDL 1.1 definitions nor a schema.");
        }
    }

    private async Task AddSchemaAsync(XElement schema, Uri address, CancellationToken ct)
    {
        Schemas.Add(schema);
        foreach (var other in schema.Elements().Where(e => e.Name == WsdlNames.Xs + "import" || e.Name == WsdlNames.Xs + "include"))
        {
            if (other.Attribute("schemaLocation") is not null)
                await ImportAsync(address, other, "schemaLocation", ct);
            else if (other.Name.LocalName == "include")
                _problems.Add($"{Place(other)}: the include has no schemaLocation.");
        }

        foreach (var redefined in schema.Elements(WsdlNames.Xs + "redefine"))
            _problems.Add($"{Place(redefined)}: redefine is not supported.");
    }

    // A failed import does not hide errors in the next one.
    private async Task ImportAsync(Uri address, XElement import, string attribute, CancellationToken ct)
    {
        try
        {
            await AddAsync(Relative(address, import, attribute), import, ct);
        }
        catch (WsdlException unreadable) when (_read.Count <= MaxDocuments)
        {
            _problems.AddRange(unreadable.Problems);
        }
    }

    private async Task<XDocument> LoadAsync(Uri address, XElement? import, CancellationToken ct)
    {
        var from = import is null ? "" : Place(import) + ": ";
        try
        {
            await using var stream = await _open(address, ct);
            using var reader = XmlReader.Create(
                stream, new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, MaxCharactersInDocument = MaxCharacters, Async = true }, address.AbsoluteUri);
            return await XDocument.LoadAsync(reader, LoadOptions.SetBaseUri | LoadOptions.SetLineInfo, ct);
        }
        catch (XmlException bad)
        {
            throw new WsdlException($"{address.Segments[^1]}({Math.Max(1, bad.LineNumber)}): {bad.Message}");
        }
        catch (Exception missing) when (missing is IOException or HttpRequestException or UnauthorizedAccessException or NotSupportedException)
        {
            throw new WsdlException($"{from}{address} cannot be read: {missing.Message}");
        }
    }

    private static Uri Relative(Uri address, XElement import, string attribute)
        => Uri.TryCreate(address, import.Attribute(attribute)!.Value, out var found) && found.Scheme is "file" or "http" or "https" && (!found.IsFile || address.IsFile) ? found
            : throw new WsdlException($"{Place(import)}: '{import.Attribute(attribute)!.Value}' is not an address that can be imported.");
}

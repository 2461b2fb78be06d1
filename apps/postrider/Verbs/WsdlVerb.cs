using System.CommandLine;
using Postrider.CommandLine.Wsdl;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider wsdl2cs</c>.</summary>
internal static class WsdlVerb
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    internal static Command Create()
    {
        var from = new Argument<string>("wsdl") { Description = "The WSDL: a file or a URL" };
        var output = new Option<string?>("--output", "-o") { Description = "The file to write; standard output when omitted" };
        var space = new Option<string?>("--namespace", "-n") { Description = "The namespace of the contract" };
        var verb = new Command("wsdl2cs", """
            Write the C# contract that a WSDL 1.1 describes, with its types.
              postrider wsdl2cs http://localhost:5000/orders.svc?wsdl -o Orders.cs --namespace Acme.Orders
            """)
        {
            from, output, space,
        };
        verb.SetAction((result, ct) => RunAsync(result.GetValue(from)!, result.GetValue(output), result.GetValue(space), ct));
        return verb;
    }

    private static async Task<int> RunAsync(string from, string? output, string? space, CancellationToken ct)
    {
        try
        {
            using var http = new HttpClient { Timeout = s_patience };
            var address = Uri.TryCreate(from, UriKind.Absolute, out var given) && given.Scheme is "http" or "https" ? given : new Uri(Path.GetFullPath(from));
            var documents = await WsdlDocuments.ReadAsync(address, (at, end) => OpenAsync(http, at, end), ct);
            var text = WsdlReader.Write(documents, space);
            if (output is null)
                await Console.Out.WriteAsync(text);
            else
                await File.WriteAllTextAsync(output, text, ct);
            return ClientVerb.Success;
        }
        catch (WsdlException bad)
        {
            foreach (var problem in bad.Problems)
                await Console.Error.WriteLineAsync($"postrider: {problem}");
            return ClientVerb.Failure;
        }
        catch (Exception failed) when (failed is IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"postrider: {failed.Message}");
            return ClientVerb.Failure;
        }
    }

    private static async Task<Stream> OpenAsync(HttpClient http, Uri address, CancellationToken ct)
    {
        if (address.IsFile)
            return File.OpenRead(address.LocalPath);
        try
        {
            return await http.GetStreamAsync(address, ct);
        }
        catch (OperationCanceledException late) when (!ct.IsCancellationRequested)
        {
            throw new IOException($"no response within {s_patience.TotalSeconds} s", late);
        }
    }
}

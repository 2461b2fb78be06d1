using System.CommandLine;

namespace Postrider.CommandLine.Servers;

/// <summary><c>postrider server request</c>: the monitoring pages by messages.</summary>
internal static class ServerRequestVerb
{
    private static readonly Dictionary<string, string> s_pages = new(StringComparer.OrdinalIgnoreCase)
    {
        ["variables"] = "VARZ", ["connections"] = "CONNZ", ["subscriptions"] = "SUBSZ", ["routes"] = "ROUTEZ", ["gateways"] = "GATEWAYZ",
        ["leafnodes"] = "LEAFZ", ["accounts"] = "ACCOUNTZ", ["jetstream"] = "JSZ", ["health"] = "HEALTHZ", ["statistics"] = "STATSZ", ["id"] = "IDZ",
    };

    internal static Command Create()
    {
        var page = new Argument<string>("page") { Description = $"The page: {string.Join(", ", s_pages.Keys)}; VARZ and the like are read too" };
        page.Validators.Add(static result =>
        {
            if (result.Tokens.Count > 0 && PageOf(result.Tokens[0].Value) is null)
                result.AddError($"'{result.Tokens[0].Value}' is not a page. Pages: {string.Join(", ", s_pages.Keys)}.");
        });
        page.CompletionSources.Add(static _ => s_pages.Keys.Select(static word => new System.CommandLine.Completions.CompletionItem(word)));
        var options = new Option<string?>("--options") { Description = "The page's options as JSON" };
        var name = new Option<string?>("--name") { Description = "Only the server of this name" };
        return SystemVerb.Create("request", """
            Show a monitoring page of every server as JSON, a line each with --json.
              postrider server request variables
              postrider server request connections --options '{"auth":true,"acc":"ORDERS"}' --name hub
            """, RunAsync, page, options, name);

        async Task RunAsync(SystemVerb.Call call, CancellationToken ct)
        {
            var answers = await call.Requests.ServersAsync(PageOf(call.Get(page))!, call.Get(options) ?? "", ct);
            if (call.Get(name) is { } wanted) answers = [SystemVerb.Choose(answers, wanted)];
            foreach (var answer in answers)
                await Console.Out.WriteLineAsync(call.Json ? JsonText.Line(answer) : JsonText.Indented(answer));
        }
    }

    private static string? PageOf(string word)
        => s_pages.TryGetValue(word, out var page) ? page : s_pages.Values.FirstOrDefault(known => known.Equals(word, StringComparison.OrdinalIgnoreCase));
}

using System.CommandLine;
using System.Text;
using Postrider.Client;
using Postrider.CommandLine.Calls;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider call</c>: calls an operation of a contract, over HTTP with its OpenAPI document or as a NATS service.</summary>
internal static class CallVerb
{
    private static readonly TimeSpan s_idle = TimeSpan.FromMilliseconds(400);

    internal static Command Create()
    {
        var server = new ServerOptions();
        var operation = new Argument<string?>("operation") { Description = "SERVICE/ENDPOINT, or an operation of the document; its operations are listed when omitted", Arity = ArgumentArity.ZeroOrOne };
        var words = new Argument<string[]>("name=value") { Description = "Parameters, and members of the body", Arity = ArgumentArity.ZeroOrMore };
        var document = new Option<string?>("--openapi") { Description = "A file or an address with an OpenAPI document in JSON; without it a NATS service is called" };
        var url = new Option<string?>("--url") { Description = "The address of the HTTP server; the document's own when omitted" };
        var body = new Option<string?>("--body", "-b") { Description = "The whole body as JSON; - reads it from standard input" };
        var headers = MessageText.HeaderOption();
        var verb = ClientVerb.Create("call", """
            Call an operation of a contract with named arguments, which are checked before anything is sent.
              postrider call                                        lists the endpoints of NATS services
              postrider call shop/price item=tea
              postrider call --openapi http://localhost:5000/openapi.json
              postrider call --openapi http://localhost:5000/openapi.json orders/Place item=tea quantity=2
            """, server, RunAsync);
        verb.Arguments.Add(operation);
        verb.Arguments.Add(words);
        foreach (var option in new Option[] { document, url, body, headers }) verb.Options.Add(option);
        verb.Validators.Add(result =>
        {
            if (JetStreamVerb.IsGiven(result, url) && !JetStreamVerb.IsGiven(result, document)) result.AddError("--url needs --openapi.");
        });
        return verb;

        async Task<int> RunAsync(ParseResult result, CancellationToken ct)
        {
            try
            {
                var given = result.GetValue(body) is "-" ? await Console.In.ReadToEndAsync(ct) : result.GetValue(body);
                var arguments = CallArguments.Read(result.GetValue(words) ?? [], given);
                return result.GetValue(document) is { } place
                    ? await OverHttpAsync(place, result.GetValue(url), result.GetValue(operation), arguments, result.GetValue(headers) ?? [], server.Timeout(result), server.Json(result), ct)
                    : await OverNatsAsync(result, server, result.GetValue(operation), arguments, MessageText.Headers(result.GetValue(headers)), ct);
            }
            catch (InvalidOperationException wrong) when (result.GetValue(document) is { } place)
            {
                // A member of the document that has another type than OpenAPI says.
                await Console.Error.WriteLineAsync($"postrider: The document at {place} is not a valid OpenAPI document: {wrong.Message}");
                return ClientVerb.Failure;
            }
            catch (CallException problem)
            {
                await Console.Error.WriteLineAsync($"postrider: {problem.Message}");
                return ClientVerb.Failure;
            }
        }
    }

    private static async Task<int> OverHttpAsync(string place, string? url, string? name, CallArguments arguments, string[] headers, TimeSpan timeout, bool asJson, CancellationToken ct)
    {
        using var http = new HttpClient { Timeout = Timeout.InfiniteTimeSpan };
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(timeout);
        HttpResponseMessage answer;
        try
        {
            var contract = await OpenApiContract.ReadAsync(place, http, limit.Token);
            if (name is null) return await ListAsync(contract, asJson);
            using var request = contract.Find(name).Request(contract.Server(place, url), arguments);
            foreach (var (header, value) in MessageText.Headers(headers) ?? []) request.Headers.TryAddWithoutValidation(header, value);

            answer = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, limit.Token);
        }
        catch (HttpRequestException failure)
        {
            throw new CallException($"The server does not respond: {failure.Message}");
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new TimeoutException();
        }

        // A streamed response is shown as it arrives.
        using (answer)
        {
            using var reader = new StreamReader(await answer.Content.ReadAsStreamAsync(ct), Encoding.UTF8);
            var output = answer.IsSuccessStatusCode ? Console.Out : Console.Error;
            if (!answer.IsSuccessStatusCode) await output.WriteLineAsync($"postrider: {(int)answer.StatusCode} {answer.ReasonPhrase}");
            while (await reader.ReadLineAsync(ct) is { } line) await output.WriteLineAsync(line);
            return answer.IsSuccessStatusCode ? ClientVerb.Success : ClientVerb.Failure;
        }
    }

    private static async Task<int> ListAsync(OpenApiContract contract, bool asJson)
    {
        var rows = new TextTable("Operation", "Route", "Parameters", "Description");
        foreach (var operation in contract.Operations)
        {
            var parameters = operation.Parameters.Select(static parameter => parameter.Required ? parameter.Name : $"[{parameter.Name}]").ToArray();
            if (asJson) await Console.Out.WriteLineAsync(JsonText.Object(("operation", operation.Name), ("route", operation.Route), ("parameters", parameters), ("description", operation.Summary)));
            else rows.Add(operation.Name, operation.Route, string.Join(' ', parameters), operation.Summary);
        }

        if (!asJson) await Console.Out.WriteLineAsync(rows.ToString());
        return ClientVerb.Success;
    }

    private static async Task<int> OverNatsAsync(ParseResult result, ServerOptions server, string? name, CallArguments arguments, NatsHeaders? headers, CancellationToken ct)
    {
        await using var client = await server.ConnectAsync(result, "call", ct);
        var (service, endpoint) = name?.IndexOf('/', StringComparison.Ordinal) is { } at and > 0 ? (name[..at], name[(at + 1)..]) : (name, null);
        var endpoints = new SortedDictionary<string, (string Subject, string Description)>(StringComparer.Ordinal);
        await foreach (var found in client.Services.GetInfoAsync(service, null, new RequestManyOptions { Idle = s_idle, Timeout = client.Options.RequestTimeout }, ct))
        {
            foreach (var one in found.Endpoints)
                endpoints[$"{found.Name}/{one.Name}"] = (one.Subject, found.Description);
        }

        if (service is null && endpoints.Count == 0) throw new CallException("No service answers.");
        if (endpoints.Count == 0) throw new CallException($"No service '{service}' answers. List the services with: postrider service ls");
        if (endpoint is null)
        {
            var rows = new TextTable("Operation", "Subject", "Description");
            foreach (var (key, value) in endpoints)
            {
                if (server.Json(result)) await Console.Out.WriteLineAsync(JsonText.Object(("operation", key), ("subject", value.Subject), ("description", value.Description)));
                else rows.Add(key, value.Subject, value.Description);
            }

            if (!server.Json(result)) await Console.Out.WriteLineAsync(rows.ToString());
            return ClientVerb.Success;
        }

        if (!endpoints.TryGetValue($"{service}/{endpoint}", out var called))
            throw new CallException($"The service '{service}' has no endpoint '{endpoint}'. Endpoints: {string.Join(", ", endpoints.Keys.Select(static key => key[(key.IndexOf('/', StringComparison.Ordinal) + 1)..]))}.");
        var body = arguments.Body ?? arguments.TakeObject(static _ => null)?.ToJsonString() ?? "";
        var answer = await client.RequestAsync<byte[], byte[]>(called.Subject, Encoding.UTF8.GetBytes(body), headers: headers, ct: ct);
        if (answer.Headers?["Nats-Service-Error-Code"] is { } code)
            throw new CallException($"{code} {answer.Headers["Nats-Service-Error"]}");
        await Console.Out.WriteLineAsync(Encoding.UTF8.GetString(answer.Data));
        return ClientVerb.Success;
    }
}

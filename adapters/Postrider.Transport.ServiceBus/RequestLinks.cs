using System.Collections.Concurrent;
using System.Globalization;
using Amqp;
using Amqp.Framing;
using Amqp.Types;

namespace Postrider.Transport.ServiceBus;

/// <summary>Requests to a node of the service, <c>$cbs</c> or <c>…/$management</c>, and their responses.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class RequestLinks
{
    // Credit for responses: the number of concurrent requests here.
    private const int Credit = 100;

    private readonly ConcurrentDictionary<string, TaskCompletionSource<Message>> _waiting = new(StringComparer.Ordinal);
    private readonly SenderLink _requests;
    private readonly ReceiverLink _answers;
    private readonly string _replyTo;
    private readonly TimeSpan _limit;
    private long _ids;

    private RequestLinks(SenderLink requests, ReceiverLink answers, string replyTo, TimeSpan limit)
        => (_requests, _answers, _replyTo, _limit) = (requests, answers, replyTo, limit);

    internal bool IsOpen => !_requests.IsClosed && !_answers.IsClosed;

    internal static async Task<RequestLinks> OpenAsync(Connection connection, string node, TimeSpan limit, CancellationToken ct)
    {
        var replyTo = AmqpLinks.NewName(node);
        var (requests, _) = await AmqpLinks.OpenSenderAsync(connection, node, limit, ct).ConfigureAwait(false);
        var (answers, _) = await AmqpLinks.OpenReceiverAsync(connection, new Attach { Source = new Source { Address = node }, Target = new Target { Address = replyTo } }, limit, ct).ConfigureAwait(false);
        var links = new RequestLinks(requests, answers, replyTo, limit);
        answers.AddClosedCallback((_, error) => links.Fail(error));
        requests.AddClosedCallback((_, error) => links.Fail(error));
        answers.Start(Credit, (link, answer) =>
        {
            link.Accept(answer);
            if (answer.Properties?.GetCorrelationId() is string id && links._waiting.TryRemove(id, out var waiting))
                waiting.TrySetResult(answer);
        });
        return links;
    }

    /// <summary>Sends a request.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="body">Its arguments.</param>
    /// <param name="properties">Properties besides the operation; null for none.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The response.</returns>
    /// <exception cref="AmqpException">The response is an error; its condition is the service's.</exception>
    /// <exception cref="TimeoutException">There was no response in time.</exception>
    internal async Task<Message> AskAsync(string operation, object body, Map? properties, CancellationToken ct)
    {
        var id = Interlocked.Increment(ref _ids).ToString(CultureInfo.InvariantCulture);
        var request = new Message(body)
        {
            Properties = new Properties { MessageId = id, ReplyTo = _replyTo },
            ApplicationProperties = new ApplicationProperties { ["operation"] = operation },
        };
        foreach (var (name, value) in properties ?? [])
            request.ApplicationProperties[name] = value;
        var waiting = new TaskCompletionSource<Message>(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting[id] = waiting;
        try
        {
            _requests.Send(
                request,
                (_, _, outcome, _) =>
                {
                    if (outcome is Rejected rejected)
                        waiting.TrySetException(new AmqpException(rejected.Error ?? new Error(ErrorCode.InternalError)));
                    else if (outcome is Released)
                        waiting.TrySetException(Ended(null));
                },
                null);
            // Links that closed meanwhile have failed the waiting requests.
            if (!IsOpen)
                throw Ended(_answers.Error ?? _requests.Error);
            var answer = await waiting.Task.WaitAsync(_limit, ct).ConfigureAwait(false);
            return Checked(answer, operation);
        }
        finally
        {
            _waiting.TryRemove(id, out _);
        }
    }

    internal async ValueTask CloseAsync()
    {
        await AmqpLinks.CloseAsync(_requests).ConfigureAwait(false);
        await AmqpLinks.CloseAsync(_answers).ConfigureAwait(false);
    }

    private static Message Checked(Message answer, string operation)
    {
        var properties = answer.ApplicationProperties?.Map;
        var status = (properties?["statusCode"] ?? properties?["status-code"]) as int? ?? 0;
        if (status is >= 200 and < 300)
            return answer;
        var told = (properties?["statusDescription"] ?? properties?["status-description"]) as string ?? "";
        var condition = (properties?["errorCondition"] ?? properties?["error-condition"])?.ToString() ?? status switch
        {
            401 or 403 => ErrorCode.UnauthorizedAccess,
            404 => ErrorCode.NotFound,
            408 => ServiceBusErrors.Timeout,
            410 => ServiceBusErrors.MessageLockLost,
            503 => ServiceBusErrors.Busy,
            _ => ErrorCode.InternalError,
        };
        throw new AmqpException(condition, string.Create(CultureInfo.InvariantCulture, $"{told} (status {status} of {operation})"));
    }

    private static AmqpException Ended(Error? error) => new(error ?? new Error(ErrorCode.DetachForced) { Description = "The link was closed." });

    private void Fail(Error? error)
    {
        foreach (var id in _waiting.Keys)
        {
            if (_waiting.TryRemove(id, out var waiting))
                waiting.TrySetException(Ended(error));
        }
    }
}

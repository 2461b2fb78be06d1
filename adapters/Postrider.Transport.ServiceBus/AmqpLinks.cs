using Amqp;
using Amqp.Framing;

namespace Postrider.Transport.ServiceBus;

/// <summary>Opens and closes links, each in its own session: an error of one does not end others.</summary>
internal static class AmqpLinks
{
    private static readonly TimeSpan s_farewell = TimeSpan.FromSeconds(5);
    private static long s_names;

    internal static string NewName(string entity) => $"{entity}-{Interlocked.Increment(ref s_names)}-{Guid.NewGuid():N}";

    /// <summary>Opens a link for sending.</summary>
    /// <returns>The link, and the largest message that the service accepts there; <see cref="long.MaxValue"/> for any.</returns>
    /// <exception cref="AmqpException">The service rejects it.</exception>
    internal static async Task<(SenderLink Link, long MaxMessageBytes)> OpenSenderAsync(Connection connection, string node, TimeSpan limit, CancellationToken ct)
    {
        var session = new Session(connection);
        var opened = new TaskCompletionSource<Attach>(TaskCreationOptions.RunContinuationsAsynchronously);
        var name = NewName(node);
        var attach = new Attach { Source = new Source { Address = name }, Target = new Target { Address = node }, SndSettleMode = SenderSettleMode.Unsettled, RcvSettleMode = ReceiverSettleMode.First };
        var link = new SenderLink(session, name, attach, (_, answer) =>
        {
            if (answer.Target is not null)
                opened.TrySetResult(answer);
        });
        var answered = await OpenedAsync(link, opened, limit, ct).ConfigureAwait(false);
        return (link, answered.MaxMessageSize is 0 or > long.MaxValue ? long.MaxValue : (long)answered.MaxMessageSize);
    }

    /// <summary>Opens a link for receiving.</summary>
    /// <returns>The link, and the service's response.</returns>
    /// <exception cref="AmqpException">The service rejects it.</exception>
    internal static async Task<(ReceiverLink Link, Attach Answer)> OpenReceiverAsync(Connection connection, Attach attach, TimeSpan limit, CancellationToken ct)
    {
        var session = new Session(connection);
        var opened = new TaskCompletionSource<Attach>(TaskCreationOptions.RunContinuationsAsynchronously);
        var link = new ReceiverLink(session, NewName(((Source)attach.Source).Address), attach, (_, answer) =>
        {
            if (answer.Source is not null)
                opened.TrySetResult(answer);
        });
        return (link, await OpenedAsync(link, opened, limit, ct).ConfigureAwait(false));
    }

    /// <summary>Closes a link and its session, and waits a short time for the service's response.</summary>
    internal static async Task CloseAsync(Link link)
    {
        try
        {
            await link.CloseAsync(s_farewell).ConfigureAwait(false);
            await link.Session.CloseAsync(s_farewell).ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
        {
            // The link or the connection has already ended.
        }
    }

    private static async Task<Attach> OpenedAsync(Link link, TaskCompletionSource<Attach> opened, TimeSpan limit, CancellationToken ct)
    {
        link.AddClosedCallback((_, error) => opened.TrySetException(new AmqpException(error ?? link.Error ?? new Error(ErrorCode.DetachForced) { Description = "The link was closed while it was opened." })));
        try
        {
            return await opened.Task.WaitAsync(limit, ct).ConfigureAwait(false);
        }
        catch
        {
            _ = CloseAsync(link);
            throw;
        }
    }
}

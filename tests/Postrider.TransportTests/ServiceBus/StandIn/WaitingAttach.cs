using Amqp.Framing;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>A client that waits for any session of an entity.</summary>
internal sealed record WaitingAttach(DateTimeOffset Until, Func<bool> TryAttach, Action<Error> Fail, Action Remove, Func<DateTimeOffset> Now)
{
    public void TryComplete()
    {
        if (TryAttach())
        {
            Remove();
        }
        else if (Until <= Now())
        {
            Remove();
            Fail(new Error("com.microsoft:timeout") { Description = "The operation did not complete within the allotted timeout: no session is available." });
        }
    }
}

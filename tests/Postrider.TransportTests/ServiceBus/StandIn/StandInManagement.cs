using Amqp;
using Amqp.Framing;
using Amqp.Types;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>The operations of an entity's <c>$management</c> node.</summary>
internal static class StandInManagement
{
    public static Message Answer(ServiceBusStandIn owner, StandInEntity entity, Message request)
    {
        var body = request.Body as Map ?? [];
        try
        {
            return request.ApplicationProperties?.Map.GetValueOrDefault("operation") switch
            {
                "com.microsoft:renew-lock" => Ok(new Map { ["expirations"] = ((Guid[])body["lock-tokens"]).Select(token => entity.Renew(token).UtcDateTime).ToArray() }),
                "com.microsoft:renew-session-lock" => Ok(new Map { ["expiration"] = entity.RenewSession((string)body["session-id"]).UtcDateTime }),
                "com.microsoft:schedule-message" => Ok(new Map { ["sequence-numbers"] = Schedule(owner, entity, (System.Collections.IList)body["messages"]) }),
                "com.microsoft:cancel-scheduled-message" => ((long[])body["sequence-numbers"]).All(entity.Cancel) ? Ok([]) : Error(404, "com.microsoft:message-not-found", "There is no scheduled message of that number."),
                "com.microsoft:peek-message" => Peek(entity, Convert.ToInt64(body["from-sequence-number"], null), Convert.ToInt32(body["message-count"], null), body.GetValueOrDefault("session-id") as string),
                var unknown => Error(501, ErrorCode.NotImplemented, $"There is no operation '{unknown}'."),
            };
        }
        catch (AmqpException refused)
        {
            return Error(410, refused.Error.Condition, refused.Error.Description);
        }
    }

    public static Message Error(int status, string condition, string description)
        => new() { ApplicationProperties = new ApplicationProperties { ["statusCode"] = status, ["statusDescription"] = description, ["errorCondition"] = (Symbol)condition }, BodySection = new AmqpValue { Value = null } };

    public static Message Decoded(byte[] bytes) => Message.Decode(new ByteBuffer(bytes, 0, bytes.Length, bytes.Length));

    private static Message Ok(Map body)
        => new() { ApplicationProperties = new ApplicationProperties { ["statusCode"] = 200, ["statusDescription"] = "OK" }, BodySection = new AmqpValue { Value = body } };

    private static long[] Schedule(ServiceBusStandIn owner, StandInEntity entity, System.Collections.IList messages)
        => [.. messages.Cast<Map>().Select(message => owner.Store(entity, Decoded((byte[])message["message"])))];

    private static Message Peek(StandInEntity entity, long from, int count, string? session)
    {
        var found = new List();
        foreach (var message in entity.Peek(from, session).Take(count))
        {
            var encoded = message.Copy().Encode();
            found.Add(new Map { ["message"] = encoded.Buffer.AsSpan(encoded.Offset, encoded.Length).ToArray() });
        }

        return found.Count == 0
            ? new() { ApplicationProperties = new ApplicationProperties { ["statusCode"] = 204, ["statusDescription"] = "No messages" }, BodySection = new AmqpValue { Value = null } }
            : Ok(new Map { ["messages"] = found });
    }
}

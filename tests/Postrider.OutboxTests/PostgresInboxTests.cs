using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class PostgresInboxTests(PostgresServer server) : InboxCases(OutboxDatabase.PostgreSql, server);

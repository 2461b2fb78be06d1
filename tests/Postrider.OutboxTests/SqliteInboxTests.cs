using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class SqliteInboxTests(PostgresServer server) : InboxCases(OutboxDatabase.Sqlite, server);
